/**
 * A server of the bench: it returns each message to its sender, with the library that it is told to use. It reports its
 * port, and its CPU and memory on `use`.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { openSocketServer } from '../../media-host/realtime/socket-server.ts'
import { silentLog } from '../../test/helpers/silent.ts'

export interface Use {
  readonly cpuMs: number
  readonly rssBytes: number
}

const HOST = '127.0.0.1'

async function openOurs(): Promise<number> {
  const server = await openSocketServer({
    host: HOST,
    port: 0,
    log: silentLog,
    sockets: [
      {
        pattern: '/echo',
        upgrade: () => ({
          kind: 'accept',
          open: (connection) => ({
            message: (bytes) => connection.sendBinary(bytes),
            alive() {},
            drain() {},
            closed() {},
          }),
        }),
      },
    ],
  })
  return server.port
}

/** A server on Node's HTTP: no compression, and the same longest message. */
async function openWs(): Promise<number> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, path: '/echo', perMessageDeflate: false, maxPayload: 131_072 })
  sockets.on('connection', (socket) => void socket.on('message', (data: Buffer) => socket.send(data)))
  server.listen(0, HOST)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const port = process.argv[2] === 'ws' ? await openWs() : await openOurs()
process.on('message', () => {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage().rss } satisfies Use)
})
process.once('disconnect', () => process.exit(0))
process.send?.({ port })

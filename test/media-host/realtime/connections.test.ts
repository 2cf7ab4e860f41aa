import test from 'ava'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Connection } from '../../../media-host/realtime/connection.ts'
import { openSocketServer } from '../../../media-host/realtime/socket-server.ts'
import type { SocketServerOptions } from '../../../media-host/realtime/socket-options.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until, within } from '../../helpers/until.ts'

const HOST = '127.0.0.1'

/** A server that accepts any socket and records the connections. */
async function opened(options: Partial<SocketServerOptions> = {}) {
  const connections: Connection[] = []
  const got = { bytes: 0, alive: 0, drains: 0, closed: [] as number[] }
  const server = await openSocketServer({
    host: HOST,
    port: 0,
    log: silentLog,
    sockets: [
      {
        pattern: '/s/*',
        upgrade: () => ({
          kind: 'accept',
          open(connection) {
            connections.push(connection)
            return {
              message: (bytes) => void (got.bytes += bytes.byteLength),
              alive: () => void got.alive++,
              drain: () => void got.drains++,
              closed: (code) => void got.closed.push(code),
            }
          },
        }),
      },
    ],
    ...options,
  })
  return { server, connections, got }
}

async function socketOf(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${HOST}:${port}/s/one`).on('error', () => {})
  await within('the socket opens', once(socket, 'open'))
  return socket
}

function silent(port: number): Socket {
  return connect(port, HOST)
    .on('error', () => {})
    .resume()
}

test('connections that say nothing, no HTTP, or a handshake byte by byte are cut (security case 10)', async (t) => {
  const { server } = await opened()
  t.teardown(() => server.close())
  const sockets = [silent(server.port), silent(server.port), silent(server.port)]
  const [, nonsense, slow] = sockets
  nonsense?.write('nonsense\r\n\r\n')
  slow?.write('GET /s/one HTTP/1.1\r\nhost: a\r\nx: ')
  // The library measures real time, so this waits for each connection, however long it takes.
  await until('all are cut', () => {
    if (slow?.writable) slow.write('x')
    return sockets.every((socket) => socket.closed)
  })
  t.deepEqual(
    sockets.map(({ bytesRead }) => bytesRead),
    [0, 0, 0],
  )
})

test('a bounded number of connections without a request may be open from an address, and a request makes room', async (t) => {
  const { server, connections } = await opened({ unasked: { mostOfAddress: 2, most: 10 } })
  t.teardown(() => server.close())
  const waiting = [silent(server.port), silent(server.port)]
  await within('both connect', Promise.all(waiting.map((socket) => once(socket, 'connect'))))
  const refused = silent(server.port)
  await until('the third is cut', () => refused.closed)
  t.deepEqual(
    waiting.map(({ closed }) => closed),
    [false, false],
  )
  const [first, second] = waiting
  first?.destroy()
  await until('another may come', async () => {
    const socket = new WebSocket(`ws://${HOST}:${server.port}/s/one`).on('error', () => {})
    await within(
      'it is settled',
      new Promise((resolve) => {
        socket.once('open', resolve).once('close', resolve)
      }),
    )
    return socket.readyState === WebSocket.OPEN
  })
  // Open sockets and answered connections do not count.
  for (let i = 0; i < 3; i++) await socketOf(server.port)
  for (let i = 0; i < 3; i++) t.is((await fetch(`http://${HOST}:${server.port}/`)).status, 404)
  t.is(connections.length, 4)
  second?.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('it is answered and ended', () => second?.closed)
})

const BLOCK = Buffer.alloc(65_536)
/** Blocks: more than the library and both kernels buffer for one connection. */
const BLOCKS = 640

test('a connection that is paused is not read until it goes on, and its close neither', async (t) => {
  const { server, connections, got } = await opened()
  t.teardown(() => server.close())
  const [stopped, other] = [await socketOf(server.port), await socketOf(server.port)]
  const [connection] = connections
  connection?.pause()
  for (let i = 0; i < BLOCKS; i++) stopped.send(BLOCK)
  stopped.close(1000)
  for (let i = 0; i < 20; i++) {
    other.ping()
    await until('the other is read', () => got.alive > i)
  }
  t.is(got.bytes, 0)
  t.true(stopped.bufferedAmount > 0)
  connection?.resume()
  await until('all is read', () => got.bytes === BLOCKS * BLOCK.length)
  await until('its close too', () => got.closed.length === 1)
  t.deepEqual(got.closed, [1000])
})

test('a connection that is paused while the client reads slowly gets all there is, and is read on', async (t) => {
  const { server, connections, got } = await opened({ bounds: { longestMessage: 131_072, mostUnsent: 0 } })
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  const [connection] = connections
  if (!connection) throw new Error('no connection')
  let received = 0
  socket.on('message', (bytes: Buffer) => {
    received += bytes.length
  })
  socket.pause()
  connection.pause()
  let sent = 0
  for (; connection.bufferedBytes < 1_000_000; sent += BLOCK.length) connection.sendBinary(BLOCK)
  socket.resume()
  await until('all has come', () => received === sent)
  t.true(got.drains > 0)
  t.is(connection.bufferedBytes, 0)
  connection.resume()
  for (let i = 0; i < BLOCKS; i++) socket.send(BLOCK)
  await until('all is read', () => got.bytes === BLOCKS * BLOCK.length)
})

test('a client that reads nothing is cut once more waits for it than may', async (t) => {
  const { server, connections, got } = await opened()
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  socket.pause()
  const [connection] = connections
  await until('it is cut', () => {
    for (let i = 0; i < 20; i++) connection?.sendBinary(BLOCK)
    return got.closed.length > 0
  })
  t.deepEqual(got.closed, [1006])
})

test('data that is written while the socket is corked arrives whole and in order', async (t) => {
  const { server, connections } = await opened()
  t.teardown(() => server.close())
  const socket = await socketOf(server.port)
  const texts: string[] = []
  socket.on('message', (bytes: Buffer) => void texts.push(bytes.toString()))
  connections[0]?.cork(() => {
    for (const text of ['one', 'two', 'three']) connections[0]?.sendText(text)
    connections[0]?.end(1000, 'all said')
  })
  const [code] = await within('it is closed', once(socket, 'close'))
  t.deepEqual([texts.join(' '), code], ['one two three', 1000])
})

// [realtime.closing.16]
test('a fault of ours while a message is read closes its socket with 4500, and no other', async (t) => {
  const got: string[] = []
  const { server } = await opened({
    sockets: [
      {
        pattern: '/s/*',
        upgrade: () => ({
          kind: 'accept',
          open: () => ({
            message(bytes) {
              const text = Buffer.from(bytes).toString()
              if (text === 'broken') throw new Error('a fault')
              got.push(text)
            },
            alive: () => {},
            drain: () => {},
            closed: () => {},
          }),
        }),
      },
    ],
  })
  t.teardown(() => server.close())
  const [struck, other] = [await socketOf(server.port), await socketOf(server.port)]
  struck.send('broken')
  const [code] = await within('it is closed', once(struck, 'close'))
  t.is(code, 4500)
  other.send('whole')
  await until('the other is read', () => got.length > 0)
  t.deepEqual([got, other.readyState], [['whole'], WebSocket.OPEN])
})

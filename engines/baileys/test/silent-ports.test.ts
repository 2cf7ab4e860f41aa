import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { createLog } from '../process/log.ts'
import { createBoundedServer } from '../process/bounded-server.ts'
import { openBridge } from '../bridge/server.ts'
import { serveMetrics } from '../metrics/serve-metrics.ts'
import type { Sessions } from '../session/sessions.ts'

const HOST = '127.0.0.1'
const REQUEST_MS = 50

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** The engine's ports, with the shortest wait that they can be configured to have for a silent client. */
const PORTS: Readonly<Record<string, (t: ExecutionContext) => Promise<number>>> = {
  async 'the bridge'(t) {
    const bridge = await openBridge({
      sessions: {} as Sessions,
      log: createLog('silent', () => {}),
      token: null,
      host: HOST,
      port: 0,
      requestMs: REQUEST_MS,
      serveHttp: () => {},
    })
    t.teardown(() => bridge.close())
    return bridge.port
  },
  async metrics(t) {
    const server = await serveMetrics(HOST, 0, () => [], REQUEST_MS)
    t.teardown(() => server.close())
    return portOf(server)
  },
}

/** A server with Node's default timeouts, which close no connection for a minute. */
async function patientPort(t: ExecutionContext): Promise<number> {
  const server = createServer(() => {})
  server.listen(0, HOST)
  await until('the server listens', () => server.listening)
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return portOf(server)
}

/** Connects and writes `text`, or nothing when it is empty. */
function say(t: ExecutionContext, port: number, text: string): Socket {
  const socket = connect(port, HOST)
    .on('error', () => {})
    .resume()
  t.teardown(() => socket.destroy())
  if (text !== '') socket.write(text)
  return socket
}

const SLOW = {
  'sends nothing': '',
  'does not end its headers': 'GET /sessions/num_1 HTTP/1.1\r\nhost: x\r\nupgrade: websock',
  'does not send the body it names': 'POST /media/x HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n123',
} as const

for (const [name, open] of Object.entries(PORTS)) {
  for (const [what, text] of Object.entries(SLOW)) {
    // The metrics port answers every POST with 404 at once.
    if (name === 'metrics' && text.startsWith('POST')) continue
    test(`a connection that ${what} is cut: ${name}`, async (t) => {
      const port = await open(t)
      const patient = say(t, await patientPort(t), '')
      const socket = say(t, port, text)
      await until('it is cut', () => socket.closed)
      t.false(patient.closed, 'and that sooner than by a server as it comes')
    })
  }
}

test('a client has 10 s from connecting to an engine until its request is complete, headers and body included', (t) => {
  const { headersTimeout, requestTimeout, maxConnections } = createBoundedServer({ most: 7 }, () => {})
  t.deepEqual([headersTimeout, requestTimeout, maxConnections], [10_000, 10_000, 7])
})

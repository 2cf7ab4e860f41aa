import test from 'ava'
import { connect } from 'node:net'
import { startSandbox } from '../../sandbox/start.ts'
import { startHttp } from '../../src/http/listen.ts'
import { boundConnections } from '../../src/process/connection-bounds.ts'
import { listenForMetrics } from '../../src/process/metrics-listener.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

const HOST = '127.0.0.1'

interface Opened {
  readonly port: number
  readonly close: () => unknown
}

/**
 * The ports that strangers may reach, each opened on a clock. A media host's library closes its silent connections
 * after the same time (test/media-host/realtime/connections.test.ts).
 */
const PORTS: Readonly<Record<string, (clock: FakeClock) => Promise<Opened>>> = {
  async 'REST and pages'(clock) {
    const listener = await startHttp(
      { callback: () => () => {} },
      { host: HOST, port: 0, boundConnections: (server) => boundConnections(server, { clock }) },
    )
    return { port: listener.port, close: () => listener.close(0) }
  },
  async sandbox(clock) {
    const sandbox = await startSandbox({
      host: HOST,
      port: 0,
      bridgeToken: null,
      autopair: false,
      log: silentLog,
      clock,
    })
    return { port: sandbox.port, close: () => sandbox.close() }
  },
  async metrics(clock) {
    const exporter = await listenForMetrics(HOST, 0, async () => '', clock)
    return { port: exporter.port, close: () => exporter.close() }
  },
}

for (const [name, opened] of Object.entries(PORTS)) {
  test(`a connection that sends nothing is cut: ${name}`, async (t) => {
    const clock = new FakeClock()
    const { port, close } = await opened(clock)
    t.teardown(close)
    const socket = connect(port, HOST)
      .on('error', () => {})
      .resume()
    await until('it is cut', () => {
      clock.advance(10_000)
      return socket.closed
    })
    t.is(socket.bytesRead, 0)
  })
}

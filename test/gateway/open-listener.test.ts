import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import type { Core } from '../../src/gateway/core.ts'
import { openListener } from '../../src/gateway/open-listener.ts'
import { until, within } from '../helpers/until.ts'

const HOST = '127.0.0.1'

/** Connections that wait for an answer, to a port that accepts only one connection from an address. */
async function asking(t: ExecutionContext, trustedProxies: readonly string[]): Promise<readonly Socket[]> {
  const config = { host: HOST, port: 0, baseUrl: null, trustedProxies, connections: { most: 2, mostOfAddress: 1 } }
  const { port, serve, close } = await openListener({ config } as unknown as Core)
  let asked = 0
  serve(() => void asked++)
  const sockets: Socket[] = []
  t.teardown(() => close(0))
  for (let count = 0; count < 3; count++) {
    const socket = connect(port, HOST)
      .on('error', () => {})
      .resume()
    sockets.push(socket)
    t.teardown(() => socket.destroy())
    await within('it connects', once(socket, 'connect'))
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await until('it is asked, or cut', () => asked > count || socket.closed)
  }
  return sockets
}

test('the port of REST and pages takes as many connections of an address as the environment says, and of a proxy that is trusted as many as there may be in all', async (t) => {
  t.deepEqual(
    (await asking(t, [])).map(({ closed }) => closed),
    [false, true, true],
  )
  t.deepEqual(
    (await asking(t, [HOST])).map(({ closed }) => closed),
    [false, false, true],
  )
})

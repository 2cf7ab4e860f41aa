import test from 'ava'
import { connect } from 'node:net'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { startHttp } from '../../../src/http/listen.ts'
import { until, within } from '../../helpers/until.ts'

const REQUEST = 'GET /n HTTP/1.1\r\nhost: x\r\n\r\n'

/** A server whose answers the test gives by hand. */
async function byHand(begun: ServerResponse[], urls: string[] = []) {
  return startHttp(
    {
      callback: () => (request, response) => {
        begun.push(response)
        urls.push(request.url ?? '')
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
}

test('a pipelined request begins only after the previous answer was sent, and all are answered in order', async (t) => {
  const begun: ServerResponse[] = []
  const urls: string[] = []
  const listener = await byHand(begun, urls)
  t.teardown(() => listener.close(0))
  const socket = connect(listener.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => void (text += String(chunk)))
  socket.write([1, 2, 3].map((n) => REQUEST.replace('/n', `/${n}`)).join(''))
  for (const n of [1, 2, 3]) {
    await until(`request ${n} begins`, () => begun.length === n)
    t.deepEqual(urls, ['/1', '/2', '/3'].slice(0, n))
    begun[n - 1]?.end(`answer ${n}`)
    await until(`answer ${n} is there`, () => text.includes(`answer ${n}`))
  }
  socket.write(REQUEST)
  await until('the connection goes on', () => begun.length === 4)
  socket.destroy()
})

test('a client that pipelines too many requests gets the answers to those that may wait, and then the connection is closed', async (t) => {
  const begun: ServerResponse[] = []
  const listener = await startHttp(
    {
      callback: () => (_, response) => {
        begun.push(response)
        response.end('x')
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
  t.teardown(() => listener.close(0))
  const socket = connect(listener.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => void (text += String(chunk)))
  socket.write(REQUEST.repeat(400))
  await within('the connection is closed', once(socket, 'close'))
  t.is(begun.length, 17)
  t.is(text.split('HTTP/1.1 200 OK').length - 1, 17)
  t.is(text.split('connection: close').length - 1, 1)
})

test('pipelined requests of a client that has left do not begin', async (t) => {
  const begun: ServerResponse[] = []
  const listener = await byHand(begun)
  t.teardown(() => listener.close(0))
  const socket = connect(listener.port, '127.0.0.1')
  socket.write(REQUEST.repeat(3))
  await until('the first begins', () => begun.length === 1)
  const [first] = begun
  socket.resetAndDestroy()
  first?.end('nobody reads this')
  await until('the connection is gone', () => first?.destroyed || first?.closed)
  t.is(await (await ask(listener.port, begun)).text(), 'other')
  t.is(begun.length, 2)
})

async function ask(port: number, begun: ServerResponse[]): Promise<Response> {
  const before = begun.length
  const asked = fetch(`http://127.0.0.1:${port}/`)
  await until('another begins', () => begun.length > before)
  begun.at(-1)?.end('other')
  return asked
}

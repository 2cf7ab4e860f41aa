import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { Balancer } from '../../tools/demo/balancer.ts'
import type { ExecutionContext } from 'ava'
import { faultLine } from '../../src/process/start-fault.ts'

async function startNode(t: ExecutionContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** A port without a listener. */
async function deadPort(): Promise<number> {
  const server = createTcpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startBalancer(t: ExecutionContext, ports: readonly number[]): Promise<string> {
  const balancer = await Balancer.listen(0)
  t.teardown(() => balancer.close())
  balancer.use(ports.map((port, index) => ({ name: `node ${index}`, port })))
  return `http://127.0.0.1:${balancer.port}`
}

test('requests go round the nodes, whole and with the address of who asks', async (t) => {
  const heard: string[] = []
  const node =
    (name: string): RequestListener =>
    (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk
      })
      request.on('end', () => {
        heard.push(
          `${name} ${request.method} ${request.url} ${request.headers['x-api-key']} ${request.headers['x-forwarded-for']} ${body.length}`,
        )
        response.writeHead(201, { 'x-node': name }).end(body)
      })
    }
  const base = await startBalancer(t, [await startNode(t, node('a')), await startNode(t, node('b'))])
  const text = 'x'.repeat(200_000)
  for (const name of ['a', 'b', 'a']) {
    const answer = await fetch(`${base}/v1/x?y=1`, { method: 'POST', body: text, headers: { 'x-api-key': 'key' } })
    t.is(answer.status, 201)
    t.is(answer.headers.get('x-node'), name)
    t.is(await answer.text(), text)
  }
  t.deepEqual(
    heard,
    ['a', 'b', 'a'].map((name) => `${name} POST /v1/x?y=1 key 127.0.0.1 200000`),
  )
})

test('a node that takes no connection is passed over', async (t) => {
  let asked = 0
  const alive = await startNode(t, (_request, response) => {
    asked += 1
    response.end('here')
  })
  const base = await startBalancer(t, [await deadPort(), alive, await deadPort()])
  for (let i = 0; i < 5; i++) t.is(await (await fetch(base)).text(), 'here')
  t.is(asked, 5)
})

test('a request that a node received is not repeated at another: 502 when that node breaks off, 503 when there is no node', async (t) => {
  let others = 0
  const breaking = await startNode(t, (request) => request.socket.destroy())
  const other = await startNode(t, (_request, response) => {
    others += 1
    response.end()
  })
  const base = await startBalancer(t, [breaking, other])
  t.is((await fetch(base, { method: 'POST', body: 'once' })).status, 502)
  t.is(others, 0)
  const none = await fetch(await startBalancer(t, [await deadPort()]))
  t.is(none.status, 503)
  t.is(none.headers.get('retry-after'), '1')
})

test('a port that is given and taken is told in one line, the usual one that is taken makes way for a free one', async (t) => {
  const taken = await startNode(t, () => {})
  const error = await t.throwsAsync(Balancer.listenOn({ given: String(taken), usual: 0, host: '127.0.0.1' }))
  t.is(faultLine(error), `PORT ${taken} is taken: stop the other program or set PORT`)
  const balancer = await Balancer.listenOn({ given: undefined, usual: taken, host: '127.0.0.1' })
  t.teardown(() => balancer.close())
  t.not(balancer.port, taken)
})

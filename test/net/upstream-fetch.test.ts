import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createUpstreamFetch } from '../../src/net/upstream-fetch.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'

async function serve(t: ExecutionContext, listener: RequestListener): Promise<{ url: string, sockets: Set<unknown> }> {
  const server = createServer(listener)
  const sockets = new Set<unknown>()
  server.on('connection', (socket) => void sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sockets }
}

function client(t: ExecutionContext, clock: Clock = systemClock) {
  const upstream = createUpstreamFetch({ clock, totalMs: 10_000 })
  t.teardown(() => upstream.close())
  return upstream
}

const GET = { method: 'GET', headers: {} } as const

test('requests follow each other over connections kept open', async (t) => {
  const { url, sockets } = await serve(t, (request, response) => response.end(request.method))
  const upstream = client(t)
  for (const method of ['GET', 'POST', 'DELETE', 'GET', 'POST', 'DELETE', 'GET', 'GET'] as const) {
    t.like(await upstream.request({ method, url, headers: {}, ...(method === 'POST' ? { body: '{}' } : {}) }), { kind: 'answered', status: 200, text: method })
  }
  // A second may be opened while the first is being handed back.
  t.true(sockets.size <= 2, `${sockets.size} connections`)
})

test('a host that is not there is told as such', async (t) => {
  const upstream = client(t)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  t.like(await upstream.request({ ...GET, url: `http://127.0.0.1:${port}/` }), { kind: 'unanswered', failure: { kind: 'connect' } })
})

test('an answer that stops in its middle is given up in time', async (t) => {
  const clock = new FakeClock()
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('half')
    begun = true
  })
  let begun = false
  const upstream = client(t, clock)
  const asking = upstream.request({ ...GET, url })
  await until('the answer begins', () => begun)
  clock.advance(9_999)
  clock.advance(1)
  t.like(await asking, { kind: 'unanswered', failure: { kind: 'timeout' } })
})

test('an answer beyond 2 MB is not taken', async (t) => {
  const { url } = await serve(t, (_request, response) => response.end(Buffer.alloc(2_000_001, 'x')))
  t.like(await client(t).request({ ...GET, url }), { kind: 'unanswered', failure: { kind: 'too-large' } })
})

test('closing ends what is under way, and closing again does nothing', async (t) => {
  let isAsked = false
  const { url } = await serve(t, () => { isAsked = true })
  const upstream = client(t)
  const asking = upstream.request({ ...GET, url })
  await until('the request arrives', () => isAsked)
  await upstream.close()
  await upstream.close()
  t.like(await asking, { kind: 'unanswered' })
  t.like(await upstream.request({ ...GET, url }), { kind: 'unanswered' })
})

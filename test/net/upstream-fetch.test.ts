import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createUpstreamFetch } from '../../src/net/upstream-fetch.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { lateClock } from '../helpers/late-clock.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

async function serve(t: ExecutionContext, listener: RequestListener): Promise<{ url: string; sockets: Set<unknown> }> {
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, listener)
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

function client(t: ExecutionContext, clock: Clock = lateClock) {
  const upstream = createUpstreamFetch({
    clock,
    totalMs: 10_000,
    ...(clock === lateClock ? { connectMs: PATIENCE_MS } : {}),
  })
  t.teardown(() => upstream.close())
  return upstream
}

const GET = { method: 'GET', headers: {} } as const

test('requests follow each other over connections kept open', async (t) => {
  const { url, sockets } = await serve(t, (request, response) => response.end(request.method))
  const upstream = client(t)
  for (const method of ['GET', 'POST', 'DELETE', 'GET', 'POST', 'DELETE', 'GET', 'GET'] as const) {
    t.like(await upstream.request({ method, url, headers: {}, ...(method === 'POST' ? { body: '{}' } : {}) }), {
      kind: 'answered',
      status: 200,
      text: method,
    })
  }
  // A second connection may open while the first one is being returned to the pool, or after it was idle for seconds on
  // a slow machine.
  t.true(sockets.size < 8, `${sockets.size} connections`)
})

/** An address where nobody listens. */
async function nobodyAt(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/`
}

test('a host that is not there is told as such', async (t) => {
  t.deepEqual(await client(t).request({ ...GET, url: await nobodyAt() }), {
    kind: 'unanswered',
    failure: { kind: 'connect', message: 'No connection could be made to the upstream.' },
    isUnsent: true,
  })
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
  const { url } = await serve(t, () => {
    isAsked = true
  })
  const upstream = client(t)
  const asking = upstream.request({ ...GET, url })
  await until('the request arrives', () => isAsked)
  await upstream.close()
  await upstream.close()
  t.like(await asking, { kind: 'unanswered' })
  t.like(await upstream.request({ ...GET, url }), { kind: 'unanswered' })
})

test('a request that reached the host and got no answer is not called unsent', async (t) => {
  const { url } = await serve(t, (request) => void request.socket.destroy())
  const reply = await client(t).request({ method: 'POST', url, headers: {}, body: '{}' })
  t.is(reply.kind, 'unanswered')
  t.false('isUnsent' in reply)
})

test('a request given up while it waits for a connection never left', async (t) => {
  const clock = new FakeClock()
  // This server accepts connections and never begins TLS.
  const server = createTcpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.on('connection', (socket) => void sockets.push(socket))
  const asking = client(t, clock).request({
    ...GET,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  })
  await until('the host was called', () => sockets.length === 1)
  clock.advance(10_000)
  t.like(await asking, { kind: 'unanswered', failure: { kind: 'timeout' }, isUnsent: true })
})

test('a form is sent with its texts and its file, read from the disk', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, Buffer.alloc(3_000_000, 'x'))
  let seen: Record<string, unknown> = {}
  const { url } = await serve(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on(
      'end',
      () =>
        void new Response(Uint8Array.from(Buffer.concat(chunks)), {
          headers: { 'content-type': request.headers['content-type'] ?? '' },
        })
          .formData()
          .then(async (form) => {
            const file = form.get('file') as File
            seen = {
              product: form.get('product'),
              name: file.name,
              type: file.type,
              size: (await file.arrayBuffer()).byteLength,
              length: request.headers['content-length'] !== undefined,
            }
            response.end('{}')
          }),
    )
  })
  const body = [
    { name: 'product', value: 'x "y"\r\nz' },
    { name: 'file', path, mimeType: 'image/png', fileName: 'a "b".png' },
  ]
  t.like(await client(t).request({ method: 'POST', url, headers: {}, body }), { kind: 'answered', status: 200 })
  t.deepEqual(seen, { product: 'x "y"\r\nz', name: 'a "b".png', type: 'image/png', size: 3_000_000, length: true })
})

test('a file is sent as it is, with its length and type, and one that has gone never leaves', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const body = { path: join(folder, 'file'), mimeType: 'image/png' }
  await writeFile(body.path, Buffer.alloc(3_000_000, 'x'))
  let seen: Record<string, unknown> = {}
  const { url } = await serve(t, (request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => void (size += chunk.length))
    request.on('end', () => {
      seen = {
        size,
        type: request.headers['content-type'],
        length: request.headers['content-length'],
        offset: request.headers['file_offset'],
      }
      response.end('{}')
    })
  })
  const upstream = client(t)
  t.like(await upstream.request({ method: 'POST', url, headers: { file_offset: '0' }, body }), {
    kind: 'answered',
    status: 200,
  })
  t.deepEqual(seen, { size: 3_000_000, type: 'image/png', length: '3000000', offset: '0' })
  t.like(await upstream.request({ method: 'POST', url: await nobodyAt(), headers: {}, body }), {
    kind: 'unanswered',
    failure: { kind: 'connect' },
    isUnsent: true,
  })
  await rm(body.path)
  t.like(await upstream.request({ method: 'POST', url, headers: {}, body }), { kind: 'unanswered', isUnsent: true })
})

test('a request may be allowed a longer answer than others', async (t) => {
  const { url } = await serve(t, (_request, response) => response.end('x'.repeat(2_000_001)))
  const upstream = client(t)
  t.like(await upstream.request({ ...GET, url }), { kind: 'unanswered', failure: { kind: 'too-large' } })
  t.like(await upstream.request({ ...GET, url, answerBytes: 2_000_001 }), { kind: 'answered', status: 200 })
  t.like(await upstream.request({ ...GET, url, answerBytes: 2_000_000 }), {
    kind: 'unanswered',
    failure: { kind: 'too-large' },
  })
})

test('a form whose file has gone never leaves', async (t) => {
  const { url, sockets } = await serve(t, (_request, response) => response.end())
  const body = [{ name: 'file', path: '/no/such/file', mimeType: 'image/png', fileName: 'a.png' }]
  t.like(await client(t).request({ method: 'POST', url, headers: {}, body }), { kind: 'unanswered', isUnsent: true })
  t.is(sockets.size, 0)
})

test('a download is taken byte for byte, up to what is allowed', async (t) => {
  const bytes = Buffer.from([0, 255, 128, 13, 10])
  const { url } = await serve(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
  )
  const upstream = client(t)
  t.like(await upstream.download({ ...GET, url }, 5), {
    kind: 'answered',
    status: 200,
    bytes: bytes,
    headers: { 'content-type': 'image/png' },
  })
  t.like(await upstream.download({ ...GET, url }, 4), { kind: 'unanswered', failure: { kind: 'too-large' } })
})

test('a request may be given more time than others', async (t) => {
  const clock = new FakeClock()
  let finish = (): void => {}
  const { url } = await serve(t, (_request, response) => {
    finish = () => void response.end('late')
  })
  const asking = client(t, clock).request({ ...GET, url, totalMs: 60_000 })
  const initial = finish
  await until('the request arrives', () => finish !== initial)
  clock.advance(59_999)
  finish()
  t.like(await asking, { kind: 'answered', text: 'late' })
})

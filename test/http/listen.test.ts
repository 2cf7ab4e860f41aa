import test from 'ava'
import { connect, Socket } from 'node:net'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { answerStarting, startHttp } from '../../src/http/listen.ts'
import { createHttpApp } from '../../src/http/server.ts'
import type { Log } from '../../src/ports/log.ts'
import { World } from '../helpers/world.ts'
import { silentLog } from '../helpers/silent.ts'
import { within } from '../helpers/until.ts'

test('closing lets a running request finish and accepts no more', async (t) => {
  const world = new World()
  const listener = await startHttp(createHttpApp(world.deps()), { host: '127.0.0.1', port: 0 })
  let finish: () => void = () => {}
  const began = new Promise<void>((resolve) => {
    world.directory.script = {
      PlaceCall: () =>
        new Promise((answer) => {
          finish = () => answer(succeed({ id: newId('call'), externalCallId: 'e', status: 'INITIATED' }))
          resolve()
        }),
    }
  })
  const url = `http://127.0.0.1:${listener.port}/v1/calls`
  const running = fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': world.numberKey.raw, 'content-type': 'application/json' },
    body: '{"to":"5511999990001"}',
  })
  await began
  const closed = listener.close(30_000)
  await t.throwsAsync(fetch(url))
  finish()
  t.is((await running).status, 201)
  await closed
  await listener.close(0)
})

test('a listener that drains goes on answering, and asks whoever has a connection to open another one next', async (t) => {
  const listener = await startHttp(
    { callback: () => (_request, response) => response.end('answered') },
    { host: '127.0.0.1', port: 0 },
  )
  t.teardown(() => listener.close(0))
  const asked = async () => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`)
    return [await response.text(), response.headers.get('connection')]
  }
  t.deepEqual(await asked(), ['answered', 'keep-alive'])
  listener.drain()
  t.deepEqual(await asked(), ['answered', 'close'])
  t.deepEqual(await asked(), ['answered', 'close'])
})

test('closing cuts what does not finish in time', async (t) => {
  const world = new World()
  const listener = await startHttp(createHttpApp(world.deps()), { host: '127.0.0.1', port: 0 })
  const began = new Promise<void>((resolve) => {
    world.directory.script = {
      PlaceCall: () => {
        resolve()
        return new Promise(() => {})
      },
    }
  })
  const running = fetch(`http://127.0.0.1:${listener.port}/v1/calls`, {
    method: 'POST',
    headers: { 'x-api-key': world.numberKey.raw, 'content-type': 'application/json' },
    body: '{"to":"5511999990001"}',
  })
  const cut = t.throwsAsync(running)
  await began
  await listener.close(1)
  await cut
})

test('before the application is there, every answer is 503, an error and a health check at once', async (t) => {
  const listener = await startHttp(
    { callback: () => (_request, response) => answerStarting(response) },
    { host: '127.0.0.1', port: 0 },
  )
  const response = await fetch(`http://127.0.0.1:${listener.port}/health/ready`)
  t.is(response.status, 503)
  t.truthy(response.headers.get('x-request-id'))
  t.like(await response.json(), { error: 'The service is starting.', status: 'starting', checks: {} })
  await listener.close(0)
})

test('a port that is taken rejects', async (t) => {
  const app = createHttpApp(new World().deps())
  const listener = await startHttp(app, { host: '127.0.0.1', port: 0 })
  await t.throwsAsync(startHttp(app, { host: '127.0.0.1', port: listener.port }), { code: 'EADDRINUSE' })
  await listener.close(0)
})

test('a request that is no HTTP gets the usual error body', async (t) => {
  const listener = await startHttp(createHttpApp(new World().deps()), { host: '127.0.0.1', port: 0 })
  t.teardown(() => listener.close(0))
  const socket = connect(listener.port, '127.0.0.1')
  socket.write('GET /v1/status HTTP/1.1\r\nhost: x\r\nx-api-key: a\0b\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => void (text += String(chunk)))
  await within('the connection is closed', once(socket, 'close'))
  t.regex(text, /^HTTP\/1\.1 400 /)
  t.regex(text, /\r\nx-request-id: [\w-]{36}\r\n/)
  t.is(typeof JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error, 'string')
})

// [realtime.session.9]
test('a WebSocket upgrade is answered as any other request, also at the path of a realtime session', async (t) => {
  const listener = await startHttp(createHttpApp(new World().deps()), { host: '127.0.0.1', port: 0 })
  t.teardown(() => listener.close(0))
  for (const [path, status] of [
    [`/v1/realtime/${newId('call')}`, 404],
    ['/health/live', 200],
  ] as const) {
    const socket = new WebSocket(`ws://127.0.0.1:${listener.port}${path}?token=${'A'.repeat(43)}`).on('error', () => {})
    const [, answer] = await within('it is answered', once(socket, 'unexpected-response'))
    t.is(answer.statusCode, status, path)
    socket.terminate()
  }
})

test('a client that leaves in the middle of its body is no fault of ours', async (t) => {
  const world = new World()
  const answered = new Promise<number>((resolve, reject) => {
    const log: Log = {
      ...silentLog,
      info: (fields) => resolve('status' in fields ? Number(fields.status) : 0),
      error: () => reject(new Error('logged as a fault')),
    }
    void startHttp(createHttpApp({ ...world.deps(), log }), { host: '127.0.0.1', port: 0 }).then((listener) => {
      t.teardown(() => listener.close(0))
      const socket = connect(listener.port, '127.0.0.1')
      socket.write(
        `POST /v1/calls HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.numberKey.raw}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"to"`,
        () => socket.resetAndDestroy(),
      )
    })
  })
  t.is(await within('the request is over', answered), 400)
})

test('a client that left before its body was looked at is not waited for', async (t) => {
  const world = new World()
  const app = createHttpApp(world.deps())
  const socket = new Socket()
  const answered = new Promise<number>((resolve) => {
    app.middleware.unshift(async (ctx, next) => {
      const closed = new Promise((left) => void ctx.req.once('close', left))
      socket.resetAndDestroy()
      await closed
      await next()
      resolve(ctx.status)
    })
  })
  const listener = await startHttp(app, { host: '127.0.0.1', port: 0 })
  t.teardown(() => listener.close(0))
  socket.connect(listener.port, '127.0.0.1')
  socket.write(
    `POST /v1/calls HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.numberKey.raw}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"to"`,
  )
  t.is(await within('the request is over', answered), 400)
})

for (const [title, head, status] of [
  ['two different Host headers', 'GET /health/live HTTP/1.1\r\nHost: a.example\r\nHost: b.example', 400],
  ['two equal Host headers', 'GET /health/live HTTP/1.1\r\nHost: a.example\r\nhOST: a.example', 400],
  ['no Host header', 'GET /health/live HTTP/1.1', 400],
  ['one Host header', 'GET /health/live HTTP/1.1\r\nHost: a.example', 200],
  ['HTTP/1.0 without one', 'GET /health/live HTTP/1.0', 200],
] as const) {
  test(`a request with ${title} is answered ${status}, as JSON`, async (t) => {
    const world = new World()
    const listener = await startHttp(createHttpApp(world.deps()), { host: '127.0.0.1', port: 0 })
    t.teardown(() => listener.close(0))
    const socket = connect({ host: '127.0.0.1', port: listener.port })
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(`${head}\r\nConnection: close\r\n\r\n`)
    await within('the connection is closed', once(socket, 'close'))
    const text = Buffer.concat(chunks).toString('utf8')
    t.true(text.startsWith(`HTTP/1.1 ${status} `), text.slice(0, 40))
    t.regex(text, /content-type: application\/json/i)
    if (status === 400)
      t.deepEqual(JSON.parse(text.slice(text.indexOf('\r\n\r\n')).trim()), { error: 'Send one Host header' })
  })
}

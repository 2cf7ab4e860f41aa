import test from 'ava'
import { BODY_BYTES } from '../../src/domain/limits.ts'
import type { Log } from '../../src/ports/log.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { silentLog } from '../helpers/silent.ts'

// [rest.errors.10] [rest.surface.1] [rest.order.1]
test('an unknown /v1 path is ROUTE_NOT_FOUND with and without a key', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const key of [undefined, world.tenantKey.raw, 'cms_wrong']) {
    for (const path of ['/v1/nothing', '/v1', '/v1/calls/a/b/c', '/V1/calls', '/v2/calls']) {
      const reply = await client.send('GET', path, { key })
      t.is(reply.status, 404)
      t.is(reply.body.code, 'ROUTE_NOT_FOUND')
    }
  }
})

// [rest.errors.9]
test('a known path with another method is 405 with what is allowed, and OPTIONS lists it', async (t) => {
  const client = await serve(t, new World())
  const wrong = await client.send('DELETE', '/v1/calls')
  t.is(wrong.status, 405)
  t.is(wrong.body.code, 'METHOD_NOT_ALLOWED')
  t.is(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  t.is((await client.send('POST', '/v1/calls/settings')).headers.get('allow'), 'GET, HEAD, OPTIONS, PUT')
  const options = await client.send('OPTIONS', '/v1/numbers/num_x')
  t.is(options.status, 204)
  t.is(options.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PATCH')
  t.is((await client.send('OPTIONS', '/v1/nothing')).status, 404)
})

test('HEAD answers as GET without a body', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const head = await client.send('HEAD', '/v1/status', { key: world.numberKey.raw })
  t.is(head.status, 200)
  t.is(head.text, '')
  t.is((await client.send('HEAD', '/v1/status')).status, 401)
})

// [rest.errors.2]
test('a request id is echoed when it is plain, and made otherwise', async (t) => {
  const client = await serve(t, new World())
  const echoed = await client.send('GET', '/v1/nothing', { headers: { 'x-request-id': 'abc-1.2_3' } })
  t.is(echoed.headers.get('x-request-id'), 'abc-1.2_3')
  for (const odd of ['a b', 'x'.repeat(129), '{}']) {
    const made = await client.send('GET', '/health/live', { headers: { 'x-request-id': odd } })
    t.regex(made.headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
  }
})

test('answers may not be cached, sniffed or framed', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { headers } = await client.send('GET', '/v1/status', { key: world.numberKey.raw })
  t.is(headers.get('cache-control'), 'no-store')
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.is(headers.get('x-frame-options'), 'DENY')
  t.is(headers.get('strict-transport-security'), null)
  const secure = await serve(t, world, { baseUrl: 'https://api.example' })
  t.truthy((await secure.send('GET', '/health/live')).headers.get('strict-transport-security'))
})

const BROKEN: Record<string, string | Uint8Array> = {
  'half an object': '{"to":',
  'a NUL escape in a value': '{"to":"a\\u0000b"}',
  'a NUL escape in a key': '{"a\\u0000":1}',
  'half a surrogate pair': '{"to":"\\ud800"}',
  'half a surrogate pair deep inside': '{"to":"5511999990001","x":[{"y":"\\udc00"}]}',
  'bytes that are no UTF-8': new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  '10,000 levels of lists': '['.repeat(10_000) + ']'.repeat(10_000),
  '10,000 levels of objects': '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  'single quotes': "{'to': 1}",
}
// [rest.errors.6]
for (const [what, body] of Object.entries(BROKEN)) {
  test(`a body with ${what} is INVALID_JSON`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    for (const path of ['/v1/calls', '/v1/calls/call_x/accept']) {
      const reply = await client.send('POST', path, { key: world.numberKey.raw, body })
      t.is(reply.status, 400)
      t.is(reply.body.code, 'INVALID_JSON')
    }
  })
}

// [rest.errors.7]
test('a body over 1 MB is PAYLOAD_TOO_LARGE, one of 1 MB is read', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const fitting = JSON.stringify({ to: '5511999990001', x: 'a'.repeat(BODY_BYTES - 32) }).padEnd(BODY_BYTES)
  t.is(
    (await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body: fitting })).status,
    503,
    'reaches the number, which is not scripted',
  )
  const over = await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body: `${fitting} ` })
  t.is(over.status, 413)
  t.is(over.body.code, 'PAYLOAD_TOO_LARGE')
})

// [rest.errors.8]
test('a body that is not declared as plain JSON is UNSUPPORTED_MEDIA_TYPE, an empty one needs no type', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const send = (headers: Record<string, string>, body: string) =>
    client.send('POST', '/v1/calls', { key: world.numberKey.raw, body, headers })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
  ]) {
    const reply = await send({ 'content-type': type }, '{"to":"5511999990001"}')
    t.is(reply.status, 415)
    t.is(reply.body.code, 'UNSUPPORTED_MEDIA_TYPE')
  }
  t.is((await send({ 'content-encoding': 'gzip' }, '{}')).status, 415)
  t.is((await send({ 'content-type': 'application/vnd.api+json; charset=UTF-8' }, '{}')).status, 400)
  const call = world.calls.add(world.number, { status: 'COMPLETED' })
  t.is(
    (
      await client.send('POST', `/v1/calls/${call.id}/terminate`, {
        key: world.numberKey.raw,
        headers: { 'content-type': 'text/plain' },
      })
    ).status,
    200,
  )
})

test('keys that reach for the prototype change nothing', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const body =
    '{"name":"Desk","number":"5511900001111","__proto__":{"state":"OPEN"},"constructor":{"prototype":{"hacked":1}},"settings":{"__proto__":{"rejectCall":true}},"branding":{"button":{"__proto__":{"x":1},"constructor":"y"}}}'
  const reply = await client.send('POST', '/v1/numbers/remote-pairing?__proto__=1&constructor=2', {
    key: world.tenantKey.raw,
    body,
  })
  t.is(reply.status, 201)
  t.is(world.numbers.rows.get(reply.body.numberId)?.settings.rejectCall, null)
  t.is(({} as any).hacked, undefined)
})

test('paths and queries that no store can hold are refused', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const path of [
    '/v1/calls/%',
    '/v1/calls/%zz',
    '/v1/calls/%ff',
    '/v1/calls/%ed%a0%80',
    '/v1/calls/a%00b',
    '/v1/calls?before=%00',
    '/v1/calls?x=%c3',
    '/v1/remote-pairing/%00',
  ]) {
    const reply = await client.send('GET', path, { key: world.numberKey.raw })
    t.is(reply.status, 400, path)
  }
})

// [rest.ids.3]
test('a fault of ours is a bare 500, and its log holds no message, path or key', async (t) => {
  const world = new World()
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  const log: Log = { ...silentLog, info: keep, error: keep }
  world.calls.find = async () => {
    throw new Error('duplicate key value (number)=(5511988887777)')
  }
  const client = await serve(t, world, { log })
  const reply = await client.send('GET', '/v1/calls/call_secret?token=query-secret', { key: world.numberKey.raw })
  t.is(reply.status, 500)
  t.deepEqual(Object.keys(reply.body), ['error'])
  const text = lines.join('\n')
  for (const secret of ['5511988887777', 'call_secret', 'query-secret', world.numberKey.raw, world.numberKey.id])
    t.false(text.includes(secret), secret)
  t.true(text.includes(reply.headers.get('x-request-id') ?? '-'))
  t.true(text.includes('/v1/calls/{callId}'))
})

test('requests are timed by route pattern and status class', async (t) => {
  const world = new World()
  const counted: unknown[] = []
  const client = await serve(t, world, {
    metrics: {
      counter: () => ({ add: (labels) => void counted.push(labels) }),
      gauge: () => ({ set: () => {} }),
      histogram: () => ({ observe: (seconds, labels) => void counted.push([typeof seconds, labels]) }),
    },
  })
  await client.send('GET', '/v1/calls/call_1', { key: world.numberKey.raw })
  await client.send('GET', '/v1/nothing')
  const read = { method: 'GET', route: '/v1/calls/{callId}', status: '4xx' }
  const none = { method: 'GET', route: 'unmatched', status: '4xx' }
  t.deepEqual(counted, [
    ['number', read],
    ['number', none],
  ])
})

const NODE = {
  nodeId: 'node_1',
  numbers: 2,
  liveCalls: 1,
  mediaHosts: [{ hostId: 'media-1', connected: true, calls: 1, draining: false }],
  engines: [{ engineId: 'engine-1', connected: 1, sessions: 3, capacity: 2_000, draining: false }],
}

// [configuration.open-routes.3]
// [configuration.variables.20] [configuration.open-routes.1] [configuration.open-routes.2]
test('operations need no key', async (t) => {
  const world = new World()
  const client = await serve(t, world, {
    readiness: async () => ({ ok: false, checks: { database: 'unreachable' }, node: NODE }),
  })
  t.deepEqual((await client.send('GET', '/health/live')).body, { status: 'ok', checks: {} })
  const ready = await client.send('GET', '/health/ready')
  t.is(ready.status, 503)
  t.deepEqual(ready.body, { status: 'unavailable', checks: { database: 'unreachable' }, ...NODE })
  t.is((await client.send('GET', '/metrics')).text, 'up 1\n')
  const elsewhere = await serve(t, world, { metricsText: null })
  t.is((await elsewhere.send('GET', '/metrics')).status, 404)
  t.is((await elsewhere.send('GET', '/health/ready')).status, 200)
})

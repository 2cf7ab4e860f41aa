import test from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { serve } from '../helpers/http-app.ts'
import { ACCEPT, ENVELOPE } from '../helpers/tool-client.ts'
import { openTools, HISTORY_CALL, TOOLS_METADATA, READ_SCOPES } from './open-tools.ts'

// [tools.credentials.2] [tools.credentials.3]
test('a caller without credentials is told where to get tokens and which scopes to ask for first', async (t) => {
  const { client, world } = await openTools(t)
  const post = (headers: Record<string, string>) =>
    client.send('POST', '/mcp', { headers: { ...ACCEPT, ...headers }, body: HISTORY_CALL })
  const none = await post({})
  t.deepEqual(
    [none.status, none.headers.get('www-authenticate'), typeof none.body.error],
    [401, `Bearer ${TOOLS_METADATA}, ${READ_SCOPES}`, 'string'],
  )
  for (const headers of [
    { authorization: `Bearer ${generateApiKey()}` },
    { 'x-api-key': generateApiKey() },
    { authorization: 'Bearer something' },
    { authorization: `Basic ${world.numberKey.raw}` },
    { cookie: 'session=x' },
  ]) {
    const { status, headers: answered } = await post(headers)
    t.is(status, 401)
    t.true(answered.get('www-authenticate')?.endsWith(`${TOOLS_METADATA}, ${READ_SCOPES}`))
  }
})

// [tools.credentials.1]
test('a classic key opens the tools in its own header, by its id, and as a bearer token; two credentials at once are refused', async (t) => {
  const { client, world } = await openTools(t)
  const { raw, id: keyId } = world.numberKey
  const post = (headers: Record<string, string>) =>
    client.send('POST', '/mcp', { headers: { ...ACCEPT, ...headers }, body: HISTORY_CALL })
  for (const headers of [{ 'x-api-key': raw }, { 'x-api-key-id': keyId }, { authorization: `Bearer ${raw}` }])
    t.is((await post(headers)).status, 200)
  t.is((await post({ authorization: `Bearer ${raw}`, 'x-api-key': raw })).status, 400)
  t.is((await post({ authorization: 'Bearer token', 'x-api-key-id': keyId })).status, 400)
})

// [tools.endpoint.1]
test('nothing but POST is answered', async (t) => {
  const { client, world } = await openTools(t)
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    const { status, headers } = await client.send(method, '/mcp', { key: world.numberKey.raw })
    t.deepEqual([method, status, headers.get('allow')], [method, 405, 'OPTIONS, POST'])
  }
})

// [tools.credentials.4] [configuration.variables.26]
test('a page of another origin is refused before its key is looked at, and one that is allowed may read the answer', async (t) => {
  const { client, world, post } = await openTools(t)
  const key = world.numberKey.raw
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:3001',
    'http://localhost:3000.evil.example',
  ]) {
    const { status, body, headers } = await client.send('POST', '/mcp', {
      headers: { ...ACCEPT, origin },
      body: HISTORY_CALL,
    })
    t.deepEqual(
      [status, body.code, headers.get('access-control-allow-origin'), headers.get('www-authenticate')],
      [403, 'ORIGIN_NOT_ALLOWED', null, null],
    )
    t.is((await client.send('OPTIONS', '/mcp', { headers: { origin } })).status, 403)
  }
  const {
    body: { error },
  } = await client.send('POST', '/mcp', { headers: { ...ACCEPT, origin: client.url }, body: HISTORY_CALL })
  t.is(
    error,
    `This page was opened at ${client.url}, and the service is reached at http://localhost:3000: open http://localhost:3000, or set BASE_URL to ${client.url}`,
  )
  t.is((await post({ method: 'tools/list' }, { headers: { origin: 'http://localhost:3000' } })).status, 200)
  for (const mcpAllowedOrigins of [['https://agent.example'], ['*']]) {
    const allowing = await serve(t, world, { mcpAllowedOrigins })
    const origin = 'https://agent.example'
    const preflight = await allowing.send('OPTIONS', '/mcp', {
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })
    t.deepEqual(
      [
        preflight.status,
        preflight.headers.get('access-control-allow-origin'),
        preflight.headers.get('access-control-allow-credentials'),
      ],
      [204, origin, null],
    )
    t.regex(
      preflight.headers.get('access-control-allow-headers') ?? '',
      /authorization.*x-api-key.*mcp-protocol-version/,
    )
    const answered = await allowing.send('POST', '/mcp', { key, headers: { ...ACCEPT, origin }, body: HISTORY_CALL })
    t.deepEqual(
      [
        answered.status,
        answered.headers.get('access-control-allow-origin'),
        answered.headers.get('vary')?.toLowerCase(),
      ],
      [200, origin, 'origin'],
    )
    t.is(
      (await allowing.send('POST', '/mcp', { headers: { ...ACCEPT, origin }, body: HISTORY_CALL })).headers
        .get('access-control-expose-headers')
        ?.includes('www-authenticate'),
      true,
    )
  }
})

// [tools.endpoint.2] [tools.endpoint.3] [tools.endpoint.4] [tools.calls.7]
test('a malformed message is refused with an error of the protocol', async (t) => {
  const { client, world, modern } = await openTools(t)
  const raw = (body: string | Uint8Array, headers = {}) =>
    client.send('POST', '/mcp', {
      key: world.numberKey.raw,
      headers: { ...ACCEPT, 'content-type': 'application/json', ...headers },
      body,
    })
  t.deepEqual([(await raw('{junk')).status, (await raw('{junk')).body.error.code], [400, -32_700])
  t.is((await raw('')).status, 400)
  t.is((await raw(new Uint8Array([0x22, 0xff, 0x22]))).body.error.code, -32_700)
  t.is((await raw('"text"')).status, 400)
  t.is((await raw('null')).status, 400)
  t.is((await raw(JSON.stringify(HISTORY_CALL), { 'content-type': 'text/plain' })).status, 415)
  const large = await raw(
    JSON.stringify({ ...HISTORY_CALL, params: { name: 'x', arguments: { a: 'a'.repeat(2_000_000) } } }),
  )
  t.deepEqual([large.status, large.body.code], [413, 'PAYLOAD_TOO_LARGE'])
  t.is(
    (
      await raw(
        JSON.stringify({
          ...HISTORY_CALL,
          params: { name: 'x', arguments: { a: Array.from({ length: 20_001 }, () => 1) } },
        }),
      )
    ).status,
    413,
  )
  const params = { name: 'messages_history', arguments: {} }
  const misnamed = await modern('tools/call', params, { 'mcp-name': 'messages_send' })
  t.deepEqual([misnamed.status, misnamed.body.error.code], [400, -32_020])
  const mismatched = await modern('tools/call', params, { 'mcp-method': 'tools/list' })
  t.deepEqual([mismatched.status, mismatched.body.error.code], [400, -32_020])
  const old = await client.send('POST', '/mcp', {
    key: world.numberKey.raw,
    headers: { ...ACCEPT, 'mcp-protocol-version': '1900-01-01', 'mcp-method': 'tools/list' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } },
    },
  })
  t.deepEqual([old.status, old.body.error.code], [400, -32_022])
  for (const method of [
    'resources/list',
    'prompts/list',
    'sampling/createMessage',
    'subscriptions/listen',
    'no/such',
  ]) {
    const { status, body } = await modern(method)
    t.deepEqual([method, status, body.error.code], [method, 404, -32_601])
  }
  t.is((await modern('tools/call', { name: 'no_such_tool', arguments: {} })).body.error.code, -32_602)
})

test('the fast path for usual messages gives the same answers as the library, field by field', async (t) => {
  const { world, client } = await openTools(t)
  world.messages.add(world.number)
  const messages = [
    ['tools/list', {}],
    ['tools/call', { name: 'messages_history', arguments: { page: 1 } }],
    ['tools/call', { name: 'conversations_list' }],
    ['tools/call', { name: 'message_get', arguments: { id: 'unknown' } }],
    ['tools/call', { name: 'no_such_tool', arguments: {} }],
    ['tools/call', { name: 'messages_history', arguments: { nothing: 1 } }],
    ['tools/call', { name: 'calls_list', arguments: null }],
    ['tools/call', { name: 7, arguments: {} }],
  ] as const
  for (const [method, params] of messages) {
    for (const id of ['a"b', 7]) {
      const ask = (headers: Record<string, string>, meta?: object) =>
        client.send('POST', '/mcp', {
          key: world.numberKey.raw,
          headers: { ...ACCEPT, ...headers },
          body: { jsonrpc: '2.0', id, method, params: { ...params, ...(meta ? { _meta: meta } : {}) } },
        })
      const named = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
      }
      const pairs = [
        [await ask({}), await ask({}, { 'io.modelcontextprotocol/other': 1 })],
        [await ask(named, ENVELOPE), await ask(named, { ...ENVELOPE, progressToken: 1 })],
      ]
      for (const [usual, other] of pairs)
        t.deepEqual([usual?.status, usual?.body], [other?.status, other?.body], `${method} ${JSON.stringify(params)}`)
    }
  }
})

// [tools.endpoint.1]
test('an answer names no session, whatever one the request names', async (t) => {
  const { post } = await openTools(t)
  const { status, headers } = await post({ method: 'tools/list' }, { headers: { 'mcp-session-id': 'of-somebody' } })
  t.deepEqual(
    [status, headers.get('mcp-session-id'), headers.get('content-type')],
    [200, null, 'application/json; charset=utf-8'],
  )
})

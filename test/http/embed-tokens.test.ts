import test from 'ava'
import { EMBED_REQUESTS_PER_MINUTE, EMBED_SENDS_PER_MINUTE } from '../../src/domain/embed-session.ts'
import { linkHandle } from '../../src/domain/pairing.ts'
import { UNKNOWN_TOKENS_PER_MINUTE } from '../../src/http/middlewares/embed-proved.ts'
import { PAGE_REQUESTS_PER_MINUTE } from '../../src/http/middlewares/rate-limited.ts'
import * as schema from '../../src/http/routes/public-embed/schema.ts'
import { BUILT_PAGES } from '../helpers/built-pages.ts'
import { bearer, HOST_ORIGIN, mint, refresh } from '../helpers/embeds.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { NO_INBOX } from '../helpers/no-inbox.ts'

const REFRESH = '/api/public/embed/refresh'

// [embeds.routes.4] [embeds.refresh.2] [embeds.refresh.1]
test('a refreshed token works; the one before for 59 s more, and not for 61', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id, token } = await mint(client, world)
  world.clock.advance(700_000)
  const fresh = await refresh(client, token)
  t.is(fresh.status, 200)
  t.deepEqual(fresh.body, {
    token: fresh.body.token,
    expiresAt: new Date(world.clock.now() + 900_000).toISOString(),
    maxExpiresAt: new Date(world.clock.now() - 700_000 + 43_200_000).toISOString(),
  })
  t.true(fresh.body.token.startsWith(`${id}.`))
  world.clock.advance(59_000)
  t.is((await refresh(client, token)).status, 200)
  world.clock.advance(2_000)
  const late = await refresh(client, token)
  t.deepEqual([late.status, late.body.code], [401, 'TOKEN_EXPIRED'])
  t.is((await refresh(client, fresh.body.token)).status, 200)
})

// [embeds.tokens.2]
test('a token is taken as a bearer token and nowhere else', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id, token } = await mint(client, world)
  const carried: [string, Record<string, string>][] = [
    [REFRESH, {}],
    [`${REFRESH}?token=${token}&access_token=${token}`, {}],
    [REFRESH, { authorization: token }],
    [REFRESH, { authorization: `Basic ${token}` }],
    [REFRESH, { authorization: `Bearer ${id}` }],
    [REFRESH, { authorization: `Bearer ${token} x` }],
    [REFRESH, { 'x-api-key': token }],
    [REFRESH, { 'x-api-key': world.tenantKey.raw }],
    [REFRESH, { cookie: `token=${token}` }],
  ]
  for (const [path, headers] of carried) {
    const { status, body } = await client.send('POST', path, { headers })
    t.deepEqual([status, body.code], [401, 'INVALID_TOKEN'], JSON.stringify(headers))
  }
  t.is((await client.send('POST', REFRESH, { headers: { authorization: `bearer ${token}` } })).status, 200)
})

// [embeds.refresh.3]
test('the rotation of the key that minted it, and the removal of its number, end a session at once', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const heard = async (token: string) => (await refresh(client, token)).body.code
  const byNumber = await mint(client, world, {}, world.numberKey.raw)
  const byTenant = await mint(client, world)
  await client.send('POST', '/v1/api-keys', { key: world.tenantKey.raw, body: { channelNumberId: world.number.id } })
  t.deepEqual([await heard(byNumber.token), await heard(byTenant.token)], ['TOKEN_REVOKED', undefined])
  const regenerated = await client.send('POST', '/v1/api-keys/regenerate', { key: world.tenantKey.raw })
  t.is(await heard(byTenant.token), 'TOKEN_REVOKED')
  const last = await mint(client, world, {}, regenerated.body.key)
  await world.numbers.remove(world.tenantId, world.number.id)
  t.is(await heard(last.token), 'TOKEN_REVOKED')
})

// [embeds.inbox-routes.2]
test('a session ends itself by its own token', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id, token } = await mint(client, world, { surface: 'connect' })
  const ended = await client.send('DELETE', '/api/public/embed/session', bearer(token))
  t.deepEqual([ended.status, ended.body], [200, { revoked: true, id }])
  t.is((await refresh(client, token)).body.code, 'TOKEN_REVOKED')
})

const REFUSED_ORIGINS = [
  'null',
  'https://evil.example',
  `${HOST_ORIGIN}:8443`,
  'http://crm.example',
  'https://sub.crm.example',
  `${HOST_ORIGIN}.evil.example`,
  `${HOST_ORIGIN}/`,
]

// [embeds.errors.2] [embeds.cors.2]
test('a page whose origin is neither ours nor allowed is refused on every method, and named in no answer', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { token } = await mint(client, world)
  for (const origin of REFUSED_ORIGINS) {
    for (const [method, path] of [
      ['POST', REFRESH],
      ['DELETE', '/api/public/embed/session'],
    ] as const) {
      const { status, body, headers } = await client.send(method, path, bearer(token, origin))
      t.deepEqual([status, body.code], [403, 'ORIGIN_NOT_ALLOWED'], `${method} ${origin}`)
      t.is(headers.get('access-control-allow-origin'), null)
      t.is(headers.get('vary'), 'origin')
    }
  }
  t.is((await refresh(client, token)).status, 200, 'none of them did anything')
})

// [embeds.cors.2]
test('a page of an allowed origin, or of ours, is named in its answer, without credentials', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { token } = await mint(client, world)
  for (const origin of [HOST_ORIGIN, 'http://localhost:3000', 'https://chat.example', 'https://connect.example']) {
    const { status, headers } = await refresh(client, token, origin)
    t.deepEqual(
      [status, headers.get('access-control-allow-origin'), headers.get('vary')],
      [200, origin, 'origin'],
      origin,
    )
    t.is(headers.get('access-control-allow-credentials'), null)
  }
  const none = await refresh(client, token)
  t.deepEqual(
    [none.status, none.headers.get('access-control-allow-origin'), none.headers.get('vary')],
    [200, null, 'origin'],
  )
})

// [embeds.cors.1]
test('a preflight is answered to any origin below the paths of embeds, and nowhere else', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const headers = {
    origin: 'https://any.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  for (const path of [REFRESH, '/api/public/embed/diagnose', '/api/public/embed/whatever']) {
    const reply = await client.send('OPTIONS', path, { headers })
    t.is(reply.status, 204, path)
    t.is(reply.headers.get('access-control-allow-origin'), 'https://any.example')
    t.is(
      reply.headers.get('access-control-allow-headers'),
      'authorization, content-type, idempotency-key, last-event-id',
    )
    t.is(reply.headers.get('vary'), 'origin')
    t.is(reply.headers.get('access-control-allow-credentials'), null)
  }
  for (const path of ['/v1/embed/sessions', '/v1/numbers', '/openapi.json', '/api/public/embed']) {
    t.is((await client.send('OPTIONS', path, { headers })).headers.get('access-control-allow-origin'), null, path)
  }
})

// [embeds.errors.3]
test('a session has 600 requests a minute, whoever else asks; unknown tokens are counted for the address', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [one, two] = [await mint(client, world), await mint(client, world)]
  const first = await refresh(client, one.token)
  t.deepEqual([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')], ['600', '599'])
  for (let taken = 1; taken < EMBED_REQUESTS_PER_MINUTE; taken++)
    await world.limiter.take(`embed:${one.id}`, EMBED_REQUESTS_PER_MINUTE)
  const over = await refresh(client, one.token)
  t.deepEqual([over.status, over.headers.has('retry-after')], [429, true])
  t.is((await refresh(client, two.token)).status, 200)
  for (let taken = 0; taken < UNKNOWN_TOKENS_PER_MINUTE; taken++)
    await world.limiter.take('embed-unknown:127.0.0.1', UNKNOWN_TOKENS_PER_MINUTE)
  t.is((await refresh(client, 'unknown')).status, 429)
  t.is((await refresh(client, two.token)).status, 200, 'a token that works is not held up by others of its address')
})

// [embeds.errors.3]
test('sends of a session are 60 a minute, those of failed ones again among them, beside its other requests', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [one, two] = [await mint(client, world), await mint(client, world)]
  // The inbox has no conversations, so every send is refused. A refused send counts too.
  const send = async (token: string, path = 'conversations/conv_x/messages') =>
    client.send('POST', `/api/public/embed/${path}`, { ...bearer(token), body: { text: 'hello' } })
  for (let sent = 1; sent < EMBED_SENDS_PER_MINUTE; sent++) t.is((await send(one.token)).status, 404)
  t.like(await send(one.token, 'messages/msg_x/retry'), { status: 404 })
  for (const path of ['conversations/conv_x/messages', 'messages/msg_x/retry']) {
    const over = await send(one.token, path)
    t.deepEqual(
      [over.status, over.headers.get('ratelimit-limit'), over.headers.get('retry-after')],
      [429, '60', '1'],
      path,
    )
  }
  t.is((await refresh(client, one.token)).headers.get('ratelimit-remaining'), '599')
  t.is((await send(two.token)).status, 404)
})

test('documents of pages, and the question why one is not shown, are 300 a minute and address together', async (t) => {
  const world = new World()
  const client = await serve(t, world, { builtAssets: BUILT_PAGES })
  const { token } = await mint(client, world)
  const paths = [
    '/chat?s=x',
    '/connect?h=x',
    '/connect/rp_x',
    '/connect/rp_x/qr',
    '/connect/rp_x/code',
    '/connect/preview',
    '/api/public/embed/diagnose?s=x&origin=x',
  ]
  for (const [at, path] of paths.entries()) {
    const { status, headers } = await client.send('GET', path)
    t.deepEqual(
      [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')],
      [200, '300', String(299 - at)],
      path,
    )
  }
  for (let taken = paths.length; taken < PAGE_REQUESTS_PER_MINUTE; taken++)
    await world.limiter.take('pages:127.0.0.1', PAGE_REQUESTS_PER_MINUTE)
  for (const path of paths) t.is((await client.send('GET', path)).status, 429, path)
  t.is((await refresh(client, token)).status, 200, 'who has a token is not counted with them')
  world.clock.advance(60_000)
  t.is((await client.send('GET', '/chat?s=x')).status, 200)
})

// [embeds.diagnose.1]
test('a frame is diagnosed by the id of its session or the handle of its link, for any page', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id } = await mint(client, world)
  const ask = async (query: string, headers: Record<string, string> = { origin: 'https://any.example' }) =>
    client.send('GET', `/api/public/embed/diagnose?${query}`, { headers })
  const reasonOf = async (query: string) => {
    const { status, body, headers } = await ask(query)
    t.deepEqual([status, headers.get('access-control-allow-origin')], [200, '*'])
    t.is(body.ok, body.reason === null)
    t.is(body.hint === null, body.ok)
    return body.reason
  }
  t.is(await reasonOf(`s=${id}&origin=${HOST_ORIGIN}`), null)
  t.is(await reasonOf(`s=${id}&origin=https://evil.example`), 'ORIGIN_NOT_ALLOWED')
  t.is(await reasonOf(`s=emb_00000000000000000000000000&origin=${HOST_ORIGIN}`), 'SESSION_NOT_LIVE')
  const token = await world.pairing.issue({
    tenantId: world.tenantId,
    numberId: world.number.id,
    branding: null,
    redirectUrl: null,
    expiresAt: new Date(world.clock.now() + 60_000),
  })
  t.is(
    await reasonOf(`h=${linkHandle(token)}&origin=${HOST_ORIGIN}`),
    'SESSION_NOT_LIVE',
    'a chat session covers no link',
  )
  await mint(client, world, { surface: 'connect' })
  t.is(await reasonOf(`h=${linkHandle(token)}&origin=${HOST_ORIGIN}`), null)
  t.is(await reasonOf(`h=${linkHandle(token)}&origin=https://evil.example`), 'ORIGIN_NOT_ALLOWED')
  t.is(await reasonOf(`h=${linkHandle('rp_00000000000000000000000000')}&origin=${HOST_ORIGIN}`), 'SESSION_NOT_LIVE')
  world.clock.advance(3_600_000)
  t.is(await reasonOf(`s=${id}&origin=${HOST_ORIGIN}`), 'SESSION_NOT_LIVE')
  for (const wrong of ['', `s=${id}`, `origin=${HOST_ORIGIN}`, `s=${id}&h=x&origin=${HOST_ORIGIN}`])
    t.is((await ask(wrong)).status, 400, wrong)
})

// [embeds.inbox-routes.1]
test('an embed reads what its session is of: its numbers, its look, what is unread, and until when its token works', async (t) => {
  const world = new World()
  const client = await serve(t, world, {
    inboxReads: { ...NO_INBOX.inboxReads, unread: async (ids) => new Map(ids.map((id) => [id, 2])) },
  })
  const other = world.addNumber(world.tenantId, '5511900001111', { name: 'Sales', state: 'CLOSE' })
  await world.branding.change(world.tenantId, { companyName: 'Tenant Ltd', subtitle: 'Of the tenant' })
  const { id, token } = await mint(client, world, {
    channelNumberIds: [other.number.id, world.number.id],
    brandingOverride: { companyName: 'Acme', subtitle: null },
  })
  world.clock.advance(100_000)
  await refresh(client, token)
  const reply = await client.send('GET', '/api/public/embed/session', bearer(token))
  t.is(reply.status, 200)
  t.deepEqual(schema.session.parse(reply.body), reply.body)
  t.like(reply.body, {
    id,
    surface: 'chat',
    allowedOrigins: [HOST_ORIGIN],
    unreadTotal: 4,
    expiresAt: new Date(world.clock.now() + 60_000).toISOString(),
    maxExpiresAt: new Date(world.clock.now() - 100_000 + 43_200_000).toISOString(),
  })
  const paired = { provider: 'UNOFFICIAL', startsFree: true, can: { edits: true, revocations: true, typing: true } }
  t.deepEqual(reply.body.numbers, [
    { ...paired, id: other.number.id, name: 'Sales', number: '5511900001111', state: 'CLOSE' },
    { ...paired, id: world.number.id, name: 'Front desk', number: world.number.number, state: 'OPEN' },
  ])
  t.like(reply.body.branding, { companyName: 'Acme', subtitle: null, button: null })
  t.is(reply.body.theme.light.background, '#ffffff')
})

test('a connect session of all numbers is told of none, and of nothing unread', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { token } = await mint(client, world, { surface: 'connect', channelNumberIds: undefined })
  const { body } = await client.send('GET', '/api/public/embed/session', bearer(token))
  t.deepEqual([body.surface, body.numbers, body.unreadTotal], ['connect', [], 0])
})

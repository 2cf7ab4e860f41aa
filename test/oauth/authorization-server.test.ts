import { createHash } from 'node:crypto'
import test from 'ava'
import { StoreAway } from '../../src/domain/store-away.ts'
import { createAuthorizationServer } from '../../src/oauth/authorization-server.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { OAuthClient, saidIn } from '../helpers/oauth-client.ts'
import { BASE, Rig } from './rig.ts'

const database = sharedDatabase(test, openTestDatabase)
const open = () => Rig.open(database())

test('a client registers, asks, is let in, refreshes, and is shut out by its own refresh token', async (t) => {
  const rig = await open() // [oauth.endpoints.12]
  const client = await rig.client()
  const asked = await client.askConsent({ scope: 'chat:read openid chat:send' })
  const said = await rig.decide(asked)
  t.like(said, { state: 'the state', iss: BASE })
  const { status, body: first } = await client.redeem(said['code'] ?? '', asked.verifier)
  t.is(status, 200)
  t.like(first, { token_type: 'Bearer', expires_in: 3_600, scope: 'chat:read chat:send' })
  t.true(await rig.isLive(first.access_token))
  t.false(await rig.isLive(first.access_token, 'mcp'))
  const { body: second } = await client.refresh(first.refresh_token)
  t.like(second, { expires_in: 3_600, scope: 'chat:read chat:send' })
  t.true(await rig.isLive(first.access_token))
  t.true(await rig.isLive(second.access_token))
  t.is((await client.revoke(second.refresh_token)).status, 200)
  t.false(await rig.isLive(second.access_token))
  t.false(await rig.isLive(first.access_token))
  t.is(rig.ended.length, 1)
  t.is((await client.revoke('nothing-that-is-known-here')).status, 200)
})

test('an access token that is revoked goes alone', async (t) => {
  const rig = await open()
  const client = await rig.client()
  const { access_token: token, refresh_token: refresh } = await rig.tokens(client)
  t.is((await client.revoke(token)).status, 200)
  t.false(await rig.isLive(token))
  t.is((await client.refresh(refresh)).status, 200)
})

test('a code or token of one client does not work for another, and is not used up by the attempt', async (t) => {
  const rig = await open()
  const [own, other] = [await rig.client(), await rig.client()]
  const { code, verifier } = await rig.code(own)
  t.like(await other.redeem(code, verifier), { status: 400, body: { error: 'invalid_grant' } })
  const { body } = await own.redeem(code, verifier)
  t.like(await other.refresh(body.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  t.is((await other.revoke(body.refresh_token)).status, 200)
  t.true(await rig.isLive(body.access_token))
  t.is((await own.refresh(body.refresh_token)).status, 200)
})

// [oauth.endpoints.9]
test('a code needs its verifier, its address and its minute', async (t) => {
  const rig = await open()
  const client = await rig.client({ redirect_uris: ['https://client.example/cb', 'https://client.example/other'] })
  const { code, verifier } = await rig.code(client)
  const { code: otherCode } = await rig.code(client)
  for (const [fields, given] of [
    [{}, 'x'.repeat(43)],
    [{ code_verifier: undefined }, ''],
    [{ redirect_uri: 'https://client.example/other' }, verifier],
    [{ redirect_uri: undefined }, verifier],
    [{ code: otherCode }, verifier],
  ] as [Record<string, string | undefined>, string][]) {
    t.is((await client.redeem(code, given, fields)).status, 400)
  }
  rig.clock.advance(59_999)
  t.is((await client.redeem(code, verifier)).status, 200)
  const { code: late, verifier: lateVerifier } = await rig.code(client)
  rig.clock.advance(60_000)
  t.like(await client.redeem(late, lateVerifier), { status: 400, body: { error: 'invalid_grant' } })
})

// [oauth.endpoints.9]
test('a code that is used a second time kills what it gave, hours later too', async (t) => {
  const rig = await open()
  const client = await rig.client()
  const { code, verifier } = await rig.code(client)
  const { body } = await client.redeem(code, verifier)
  const { body: next } = await client.refresh(body.refresh_token)
  rig.clock.advance(1_800_000)
  t.true(await rig.isLive(next.access_token))
  t.like(await client.redeem(code, verifier), { status: 400, body: { error: 'invalid_grant' } })
  t.false(await rig.isLive(next.access_token))
  t.like(await client.refresh(next.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  t.is(rig.ended.length, 1)
})

// [oauth.endpoints.10]
test('a refresh token that is used a second time ends the whole grant', async (t) => {
  const rig = await open()
  const client = await rig.client()
  const first = await rig.tokens(client)
  const { body: second } = await client.refresh(first.refresh_token)
  const { body: third } = await client.refresh(second.refresh_token)
  t.like(await client.refresh(first.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  for (const { access_token: token } of [first, second, third]) t.false(await rig.isLive(token))
  t.like(await client.refresh(third.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  t.deepEqual(await rig.stores.grants.list(rig.tenantId, null), [])
})

for (const what of ['code', 'refresh token'] as const) {
  test(`a ${what} that a hundred redeem at once on two nodes is good for one of them, and for no more than that`, async (t) => {
    const rig = await open()
    const client = await rig.client()
    const other = new OAuthClient(rig.askOther, client.id, client.redirectUri)
    const bystander = await rig.tokens(client)
    const { code, verifier } = await rig.code(client)
    const { refresh_token: refresh } = await rig.tokens(client)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const node = index % 2 === 0 ? client : other
        return what === 'code' ? node.redeem(code, verifier) : node.refresh(refresh)
      }),
    )
    t.is(answers.filter(({ status }) => status === 200).length, 1)
    t.true(
      answers
        .filter(({ status }) => status !== 200)
        .every(({ status, body }) => status === 400 && body.error === 'invalid_grant'),
    )
    for (const { body } of answers)
      if (body.access_token) t.false(await rig.isLive(body.access_token), 'the others came a second time')
    t.true(await rig.isLive(bystander.access_token), 'other grants of the client are not theirs')
  })
}

// [oauth.endpoints.11] [oauth.clients.5]
test('a refresh token is valid for thirty days, is given to clients that registered for it, and its scopes can be narrowed but not widened', async (t) => {
  const rig = await open()
  const plain = await rig.client({ grant_types: ['authorization_code'] })
  t.falsy((await rig.tokens(plain)).refresh_token)
  const client = await rig.client()
  const { refresh_token: refresh } = await rig.tokens(client)
  t.like(await client.refresh(refresh, { scope: 'chat:read chat:send' }), {
    status: 400,
    body: { error: 'invalid_scope' },
  })
  const { body: narrow } = await client.refresh(refresh, { scope: 'chat:read' })
  t.is(narrow.scope, 'chat:read')
  rig.clock.advance(30 * 24 * 3_600_000)
  t.like(await client.refresh(narrow.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
})

test('a client with a secret needs it, either way, and it is kept as a hash', async (t) => {
  const rig = await open()
  const client = await rig.client({ token_endpoint_auth_method: 'client_secret_basic' })
  const { code, verifier } = await rig.code(client)
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: client.redirectUri,
    client_id: undefined,
    client_secret: undefined,
  }
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`,
  })
  t.like(await client.token({ ...fields, client_id: client.id }), { status: 401, body: { error: 'invalid_client' } })
  t.like(await client.token(fields, basic('guessed')), { status: 401, body: { error: 'invalid_client' } })
  t.is((await client.token(fields, basic(client.secret ?? ''))).status, 200)
  const stored = await rig.stores.oauthClients.find(client.id)
  t.false(JSON.stringify(stored).includes(client.secret ?? '?'))
  const posting = await rig.client({ token_endpoint_auth_method: 'client_secret_post' })
  t.truthy((await rig.tokens(posting)).access_token)
})

const NEVER_REDIRECTED = [
  ['of an unknown client', { client_id: 'nobody' }],
  ['without a client', { client_id: undefined }],
  ['without an address', { redirect_uri: undefined }],
  ...[
    'https://client.example/cb/',
    'https://client.example/cB',
    'https://client.example/cb?x=1',
    'https://client.example/cb#f',
    'https://client.example:444/cb',
    'https://user@client.example/cb',
    'https://client.example@evil.example/cb',
    'http://client.example/cb',
    'https://CLIENT.example/cb',
    'https://client.example/%63b',
    'https://client.example/x/../cb',
    'https://client.example/cb%2f',
    'https://clıent.example/cb',
    'https://client.example\\@evil.example/cb',
    '//client.example/cb',
    'javascript:alert(1)',
    'https://evil.example/https://client.example/cb',
    'https://client.example.evil.example/cb',
    '',
  ].map((uri) => [`to ${uri === '' ? 'nowhere' : uri}`, { redirect_uri: uri }] as const),
] as const

// [oauth.endpoints.8]
test('a request of a wrong client, or to an address off by anything, is refused here and redirects nobody', async (t) => {
  const rig = await open()
  const client = await rig.client()
  for (const [title, fields] of NEVER_REDIRECTED) {
    const { status, headers, body } = await client.authorize(fields)
    t.is(status, 400, title)
    t.is(headers['location'], undefined, title)
    t.is(typeof body.error, 'string', title)
  }
})

test('any port of the own machine is the registered one; no other part of it is, and no other host has that', async (t) => {
  const rig = await open()
  const client = await rig.client({
    redirect_uris: ['http://127.0.0.1:1234/cb', 'http://[::1]/cb', 'http://localhost/cb?a=1', 'com.example.app:/cb'],
  })
  for (const redirect of [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:65000/cb',
    'http://[::1]:7/cb',
    'http://localhost:9/cb?a=1',
    'com.example.app:/cb',
  ]) {
    t.is((await client.authorize({ redirect_uri: redirect })).status, 303, redirect)
  }
  for (const redirect of [
    'http://127.0.0.1:1234/cb/',
    'http://localhost:1234/cb',
    'http://127.0.0.2:1234/cb',
    'http://user@127.0.0.1:1234/cb',
    'http://127.0.0.1:1234@evil.example/cb',
    'http://127.0.0.1:x/cb',
    'http://127.0.0.1.evil.example/cb',
    'https://127.0.0.1:1234/cb',
    'com.example.app:/cb2',
  ]) {
    t.is((await client.authorize({ redirect_uri: redirect })).status, 400, redirect)
  }
})

const TOLD_THE_CLIENT = [
  ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
  ['a foreign resource', { resource: 'https://other.example/v1' }, 'invalid_target'],
  ['two resources', { resource: [`${BASE}/v1`, `${BASE}/mcp`] }, 'invalid_target'],
  ['a part of a resource', { resource: `${BASE}/v1/numbers` }, 'invalid_target'],
  ['unknown scopes alone', { scope: 'openid profile' }, 'invalid_scope'],
  ['a scope no client is granted', { scope: 'account:manage' }, 'invalid_scope'],
  ['a token for an answer', { response_type: 'token' }, 'unsupported_response_type'],
  ['an answer in a form', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ['an answer without asking', { prompt: 'none' }, 'consent_required'],
  ['a request by reference', { request_uri: 'https://client.example/r' }, 'request_uri_not_supported'],
] as const

// [oauth.endpoints.8] [oauth.endpoints.4] [oauth.consent.2]
test('other faults are told to the client, with its state and whose answer it is', async (t) => {
  const rig = await open()
  const client = await rig.client()
  for (const [title, fields, error] of TOLD_THE_CLIENT) {
    const { status, headers } = await client.authorize(fields)
    t.is(status, 303, title)
    t.true(headers['location']?.startsWith(`${client.redirectUri}?`), title)
    t.like(saidIn(headers['location']), { error, state: 'the state', iss: BASE }, title)
    t.is(headers['set-cookie'], undefined, title)
  }
})

// [oauth.resources-and-scopes.3] [oauth.endpoints.13]
test('a request without scopes asks for all read scopes, is bound to its browser, and other protocols are refused', async (t) => {
  const rig = await open()
  const client = await rig.client({ scope: 'numbers:read' })
  const asked = await client.askConsent({
    scope: undefined,
    nonce: 'n',
    prompt: 'login',
    max_age: '1',
    display: 'popup',
    resource: `${BASE}/mcp`,
  })
  const interaction = await rig.stores.oauthInteractions.find(asked.id, asked.cookie.split('=')[1] ?? '')
  t.like(interaction, {
    resource: 'mcp',
    scopes: ['numbers:read', 'chat:read', 'calls:read', 'templates:read', 'flows:read', 'ads:read', 'webhooks:read'],
  })
  t.regex(
    (await client.authorize()).headers['set-cookie'] ?? '',
    new RegExp(
      `^cms_consent=[\\w-]{43}; Path=/api/oauth/interactions/[\\w-]{43}; HttpOnly; SameSite=Lax; Max-Age=600; Secure$`,
    ),
  )
  await t.throwsAsync(rig.decide({ ...asked, cookie: `cms_consent=${'x'.repeat(43)}` }), {
    message: 'INTERACTION_NOT_FOUND',
  })
  await rig.decide(asked)
  await t.throwsAsync(rig.decide(asked), { message: 'INTERACTION_NOT_FOUND' })
  const denied = await client.askConsent()
  t.deepEqual(await rig.decide(denied, { decision: 'deny' }), { error: 'access_denied', state: 'the state', iss: BASE })
})

// [oauth.resources-and-scopes.1] [oauth.resources-and-scopes.2]
test('a token opens the resource it was asked for, which cannot be changed when it is fetched', async (t) => {
  const rig = await open()
  const client = await rig.client()
  const { code, verifier } = await rig.code(client, { resource: `${BASE}/mcp` })
  t.like(await client.redeem(code, verifier, { resource: `${BASE}/v1` }), {
    status: 400,
    body: { error: 'invalid_target' },
  })
  const { access_token: token } = await rig.tokens(client, { resource: `${BASE}/mcp` })
  t.true(await rig.isLive(token, 'mcp'))
  t.false(await rig.isLive(token, 'v1'))
})

test('a challenge cannot be taken away: a code without a verifier, or with the challenge itself, is worth nothing', async (t) => {
  const rig = await open()
  const client = await rig.client()
  const { code, verifier } = await rig.code(client)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  t.is((await client.redeem(code, challenge)).status, 400)
  t.is((await client.redeem(code, challenge, { code_challenge_method: 'plain' })).status, 400)
  t.is((await client.redeem(code, '')).status, 400)
  t.is((await client.redeem(code, verifier)).status, 200)
})

// [oauth.clients.1]
test('registrations of addresses that nobody may be sent to are refused', async (t) => {
  const rig = await open()
  const refused = [
    'http://client.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/cb',
    'https://client.example/cb#x',
    'https://a@client.example/cb',
    'https:client.example/cb',
    'ftp://client.example/',
    '/cb',
    'https://client.example/c b',
    'http://127.0.0.2/cb',
  ]
  for (const uri of refused)
    await t.throwsAsync(rig.client({ redirect_uris: [uri] }), { message: /invalid_redirect_uri/ }, uri)
  for (const fields of [
    { redirect_uris: [] },
    { redirect_uris: undefined },
    { redirect_uris: 'https://client.example/cb' },
    { redirect_uris: [5] },
  ])
    await t.throwsAsync(rig.client(fields), { message: /answered 400/ })
  for (const fields of [
    { token_endpoint_auth_method: 'private_key_jwt' },
    { grant_types: ['client_credentials'] },
    { response_types: ['token'] },
    { client_name: 'n'.repeat(201) },
  ])
    await t.throwsAsync(rig.client(fields), { message: /invalid_client_metadata/ })
  t.like(await rig.ask('POST', '/oauth/register', { headers: { 'content-type': 'application/json' }, body: '{' }), {
    status: 400,
    body: { error: 'invalid_request' },
  })
})

// [oauth.endpoints.6]
test('an address that registers more than twenty clients within the hour is told to come back', async (t) => {
  const rig = await open()
  for (let made = 0; made < 20; made++) await rig.client()
  await t.throwsAsync(rig.client(), { name: 'RefusalError', message: /too many clients/ })
  rig.clock.advance(3_600_000)
  await t.notThrowsAsync(rig.client())
})

test('while the database is away no request is blamed for a fault, not even by redirect', async (t) => {
  const rig = await open()
  const away = async () => {
    throw new StoreAway('full')
  }
  const stores = { ...rig.stores, oauthClients: { register: away, find: away } }
  const server = createAuthorizationServer({
    ...stores,
    fetchUrl: { request: away },
    clock: rig.clock,
    baseUrl: BASE,
    isRegistrationOpen: true,
  })
  const client = new OAuthClient(
    (method, path, { querystring = '', headers = {}, body = '' }) =>
      server.answer({ method, path, querystring, headers, body: Buffer.from(body), address: '::1' }),
    'client',
    'https://client.example/cb',
  )
  for (const asking of [
    () => client.authorize(),
    () => client.redeem('x', 'y'),
    () => client.refresh('x'),
    () => client.revoke('x'),
  ])
    await t.throwsAsync(asking(), { instanceOf: StoreAway })
})

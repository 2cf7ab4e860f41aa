import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { signIn } from '../helpers/dashboard.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const PROTOCOL = [
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/register'],
] as const

/** A world whose REST layer is configured with `values`. */
function worldWith(values: object): World {
  const world = new World()
  const { deps } = world
  world.deps = () => ({ ...deps.call(world), ...values })
  return world
}

// [sessions.https.1]
test('where the service is http on another host, OAuth is refused before anything is read', async (t) => {
  const client = await serve(t, worldWith({ baseUrl: 'http://service.example' }))
  for (const [method, path] of PROTOCOL) {
    t.like(
      await client.send(method, path, method === 'GET' ? {} : { headers: FORM, body: 'a=b' }),
      { status: 403, body: { code: 'HTTPS_REQUIRED' } },
      path,
    )
  }
})

test('where it is http on a name of this machine, OAuth is spoken', async (t) => {
  for (const baseUrl of ['http://app.localhost:3000', 'http://127.0.0.1:3000']) {
    const client = await serve(t, worldWith({ baseUrl }))
    t.not((await client.send('POST', '/oauth/token', { headers: FORM, body: 'a=b' })).status, 403, baseUrl)
  }
})

test('without the dashboard there is no OAuth', async (t) => {
  const client = await serve(t, worldWith({ isDashboardOn: false }))
  for (const [method, path] of [
    ...PROTOCOL,
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/api/grants'],
    ['GET', `/api/oauth/interactions/${'x'.repeat(43)}`],
  ] as const) {
    t.like(await client.send(method, path), { status: 404, body: { code: 'ROUTE_NOT_FOUND' } }, path)
  }
})

// [oauth.endpoints.6] [configuration.variables.25]
test('where clients may not register themselves, the metadata does not say that they may', async (t) => {
  const client = await serve(t, worldWith({ isRegistrationOpen: false }))
  t.is((await client.send('POST', '/oauth/register', { body: {} })).status, 404)
  const { body } = await client.send('GET', '/.well-known/oauth-authorization-server')
  t.false('registration_endpoint' in body)
  t.is(body.token_endpoint, 'http://localhost:3000/oauth/token')
})

// [oauth.endpoints.2] [oauth.endpoints.3] [oauth.endpoints.1]
test('the metadata match the contract', async (t) => {
  const client = await serve(t, new World())
  const { status, headers, body } = await client.send('GET', '/.well-known/oauth-authorization-server')
  t.is(status, 200)
  t.is(headers.get('access-control-allow-origin'), '*')
  t.like(body, {
    issuer: 'http://localhost:3000',
    authorization_endpoint: 'http://localhost:3000/oauth/authorize',
    registration_endpoint: 'http://localhost:3000/oauth/register',
    revocation_endpoint: 'http://localhost:3000/oauth/revoke',
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  t.false(body.scopes_supported.includes('account:manage'))
  t.true(body.scopes_supported.includes('chat:read'))
})

// [sessions.login.8] [oauth.endpoints.5] [oauth.consent.5]
test('methods, sizes and forms of the protocol are bounded', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  t.is((await client.send('POST', '/oauth/authorize', { headers: FORM, body: '' })).status, 405)
  t.is((await client.send('GET', '/oauth/token')).status, 405)
  t.like(await client.send('POST', '/oauth/token', { headers: FORM, body: `code=${'x'.repeat(40_000)}` }), {
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE' },
  })
  const session = await signIn(client, world)
  const path = `/api/oauth/interactions/${'x'.repeat(43)}`
  for (const body of [
    {},
    { decision: 'maybe' },
    { decision: 'allow', channelNumberIds: [] },
    { decision: 'allow', channelNumberIds: [5] },
    { decision: 'allow', scopes: ['account:manage'] },
    { decision: 'allow', scopes: 'chat:read' },
  ]) {
    t.is((await session.send('POST', path, { body })).status, 400, JSON.stringify(body))
  }
  t.like(await session.send('POST', path, { body: { decision: 'allow' } }), {
    status: 404,
    body: { code: 'INTERACTION_NOT_FOUND' },
  })
  t.deepEqual((await session.send('GET', '/api/grants')).body, { grants: [] })
  t.like(await session.send('DELETE', '/api/grants/grt_nothing'), { status: 404, body: { code: 'GRANT_NOT_FOUND' } })
})

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { asksOver, letIn, signInOwner, signInPerson } from '../helpers/oauth-browser.ts'
import { OAuthClient, saidIn, type AskOAuth } from '../helpers/oauth-client.ts'
import { oauthLifeSuite } from '../helpers/oauth-life.ts'
import { call, type Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

const ask: AskOAuth = (...asked) => asksOver(service)(...asked)

/** The owner of a new tenant. */
async function owner() {
  const made = await askToCreateTenant(service.dataDir, 'Letting in')
  if (!made) throw new Error('no gateway runs')
  return { ...made, ...(await signInOwner(service, made.key)) }
}

const asBearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

// [sessions.login.7] [sessions.login.8]
// [oauth.consent.1] [oauth.consent.4] [oauth.consent.5] [oauth.consent.6] [oauth.consent.9]
test('an owner lets an app in for one number, which opens that one alone, and shuts it out again', async (t) => {
  const by = await owner()
  const add = (name: string, number: string) =>
    service.api('POST', '/v1/numbers', by.key, { name, number }).then(({ body }) => body.id as string)
  const [own, other] = [await add('One', '4930111111'), await add('Two', '4930222222')]
  const client = await OAuthClient.register(ask)
  const asked = await client.askConsent()
  t.like((await by.show(asked)).body, {
    id: asked.id,
    client: { clientId: client.id, name: 'Desk', redirectHost: 'client.example', isLoopback: false },
    scopes: [
      { scope: 'numbers:read', allowed: true },
      { scope: 'chat:read', allowed: true },
    ],
  })
  t.deepEqual((await by.show(asked)).body.numbers.map(({ id }: any) => id).toSorted(), [own, other].toSorted())
  t.like(await by.decide(asked, { decision: 'allow', channelNumberIds: ['num_00000000000000000000000000'] }), {
    status: 404,
    body: { code: 'NUMBER_NOT_FOUND' },
  })
  t.is((await by.decide(asked, { decision: 'allow', scopes: ['chat:send'] })).status, 400, 'nobody asked for that')
  const {
    body: { redirectTo },
  } = await by.decide(asked, { decision: 'allow', channelNumberIds: [own] })
  const { iss = '', state, code = '' } = saidIn(redirectTo)
  t.deepEqual(
    [state, iss],
    ['the state', (await ask('GET', '/.well-known/oauth-authorization-server', {})).body.issuer],
  )
  const { body: tokens } = await client.redeem(code, asked.verifier)
  const numbers = await call('GET', `${service.base}/v1/numbers`, asBearer(tokens.access_token))
  t.deepEqual(
    numbers.body.map(({ id }: any) => id),
    [own],
  )
  t.is((await call('GET', `${service.base}/v1/numbers/${other}`, asBearer(tokens.access_token))).status, 404)
  const {
    body: {
      grants: [grant],
    },
  } = await by.send('GET', '/api/grants')
  t.like(grant, {
    clientId: client.id,
    clientName: 'Desk',
    user: null,
    scopes: ['numbers:read', 'chat:read'],
    channelNumberIds: [own],
  })
  t.is(
    (await (await owner()).send('DELETE', `/api/grants/${grant.id}`)).status,
    404,
    'it is not that of another tenant',
  )
  t.deepEqual((await by.send('DELETE', `/api/grants/${grant.id}`)).body, { deleted: true, id: grant.id })
  const refused = await call('GET', `${service.base}/v1/numbers`, asBearer(tokens.access_token))
  t.is(refused.status, 401)
  t.regex(refused.headers.get('www-authenticate') ?? '', /error="invalid_token", resource_metadata="/)
  t.like(await client.refresh(tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  t.like(await by.send('DELETE', `/api/grants/${grant.id}`), { status: 404, body: { code: 'GRANT_NOT_FOUND' } })
})

// [sessions.login.7] [sessions.login.8] [people.permissions.11] [oauth.consent.4] [oauth.consent.6] [oauth.consent.8]
test('people let apps in as far as their role goes, see what is their own, and their tokens follow them', async (t) => {
  const by = await owner()
  const {
    body: { id: numberId },
  } = await service.api('POST', '/v1/numbers', by.key, { name: 'One', number: '4930333333' })
  const [agent, analyst] = [
    await signInPerson(service, by.key, 'AGENT'),
    await signInPerson(service, by.key, 'ANALYST'),
  ]
  const client = await OAuthClient.register(ask)
  const asked = await client.askConsent({ scope: 'chat:read numbers:read numbers:manage webhooks:read' })
  t.like((await agent.show(asked)).body.scopes, [
    { scope: 'numbers:read', allowed: true },
    { scope: 'numbers:manage', allowed: false },
    { scope: 'chat:read', allowed: true },
    { scope: 'webhooks:read', allowed: false },
  ])
  t.like(await agent.decide(asked), { status: 403, body: { code: 'PERMISSION_DENIED' } })
  const { code = '' } = saidIn(
    (await agent.decide(asked, { decision: 'allow', channelNumberIds: [numberId] })).body.redirectTo,
  )
  const { body: tokens } = await client.redeem(code, asked.verifier)
  t.is(tokens.scope, 'numbers:read chat:read')
  const nothing = await client.askConsent({ scope: 'chat:read' })
  t.like(saidIn((await analyst.decide(nothing, { decision: 'allow', channelNumberIds: [numberId] })).body.redirectTo), {
    error: 'access_denied',
    state: 'the state',
  })
  const {
    body: {
      grants: [grant],
    },
  } = await agent.send('GET', '/api/grants')
  t.deepEqual(grant.user, { id: agent.id, email: agent.email })
  t.deepEqual((await analyst.send('GET', '/api/grants')).body, { grants: [] })
  t.is((await analyst.send('DELETE', `/api/grants/${grant.id}`)).status, 404)
  t.deepEqual((await by.send('GET', '/api/grants')).body.grants, [{ ...grant, lastUsedAt: null }])
  const numbers = () => call('GET', `${service.base}/v1/numbers`, asBearer(tokens.access_token))
  const conversations = () =>
    call('GET', `${service.base}/v1/conversations`, {
      headers: { ...asBearer(tokens.access_token).headers, 'x-channel-number-id': numberId },
    })
  t.deepEqual([(await numbers()).status, (await conversations()).status], [200, 200])
  const change = (body: object) => service.api('PATCH', `/v1/users/${agent.id}`, by.key, body)
  await change({ role: 'ANALYST' })
  t.deepEqual([(await numbers()).status, (await conversations()).status], [200, 403])
  await change({ role: 'AGENT', status: 'DISABLED' })
  t.is((await numbers()).status, 401)
  t.is((await client.refresh(tokens.refresh_token)).status, 400)
  await service.api('DELETE', `/v1/users/${agent.id}`, by.key)
  t.deepEqual((await by.send('GET', '/api/grants')).body, { grants: [] })
})

// [oauth.consent.7]
test('a consent request is decided once, only in the browser where it was made, and only with the proof of its page', async (t) => {
  const [by, stranger] = [await owner(), await owner()]
  const client = await OAuthClient.register(ask)
  const asked = await client.askConsent()
  const elsewhere = await client.askConsent()
  for (const cookie of ['', elsewhere.cookie, `${asked.cookie}; ${asked.cookie}`, 'cms_consent=x']) {
    t.like(await by.show(asked, cookie), { status: 404, body: { code: 'INTERACTION_NOT_FOUND' } })
    t.like(await by.decide({ ...asked, cookie }), { status: 404, body: { code: 'INTERACTION_NOT_FOUND' } })
  }
  t.like(await by.decide(asked, undefined, { 'sec-fetch-site': 'cross-site' }), {
    status: 403,
    body: { code: 'CSRF_REJECTED' },
  })
  t.like(await by.decide(asked, undefined, { 'x-csrf-token': 'guessed' }), {
    status: 403,
    body: { code: 'CSRF_REJECTED' },
  })
  t.is(
    (await call('GET', `${service.base}/api/oauth/interactions/${asked.id}`, { headers: { cookie: asked.cookie } }))
      .status,
    401,
  )
  t.is((await by.decide(asked)).status, 200)
  t.is((await by.decide(asked)).status, 404)
  t.is((await stranger.decide(asked)).status, 404)
  t.is((await by.send('GET', '/api/oauth/interactions/' + 'x'.repeat(43))).status, 404)
})

test('with a changed password the other sessions of a person end, with a new key of the tenant all sessions; what apps were let in to stays in both', async (t) => {
  const by = await owner()
  const [ann, client] = [await signInPerson(service, by.key, 'ADMIN'), await OAuthClient.register(ask)]
  const [hers, nobodys] = [await letIn(ann, client), await letIn(by, client)]
  const statusOf = async (token: string) => (await call('GET', `${service.base}/v1/numbers`, asBearer(token))).status
  const isIn = async ({ send }: Pick<typeof ann, 'send'>) => (await send('GET', '/api/session')).status === 200
  t.is(
    (
      await ann.send('POST', '/api/session/password', {
        current: 'correct horse battery',
        password: 'another one entirely',
      })
    ).status,
    200,
  )
  t.deepEqual(
    [await statusOf(hers.access_token), await statusOf(nobodys.access_token), await isIn(ann), await isIn(by)],
    [200, 200, true, true],
  )
  const rotated = await service.api('POST', '/v1/api-keys/regenerate', by.key)
  t.is((await service.api('GET', '/v1/numbers', by.key)).status, 401)
  t.deepEqual([await isIn(ann), await isIn(by)], [false, false])
  for (const { access_token: access, refresh_token: refresh } of [hers, nobodys]) {
    t.is(await statusOf(access), 200)
    t.is((await client.refresh(refresh)).status, 200)
  }
  const again = await signInOwner(service, rotated.body.key)
  t.is(
    (await again.send('GET', '/api/grants')).body.grants.length,
    2,
    'who replaced the key sees both, and can end them',
  )
})

test('pages of any origin may ask for metadata and tokens, without what the browser knows, and nothing of it is kept or framed', async (t) => {
  const origin = { origin: 'https://anywhere.example' }
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const { status, headers } = await call('OPTIONS', service.base + path, {
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
    t.is(status, 204, path)
    t.is(headers.get('access-control-allow-origin'), '*', path)
    t.is(headers.get('access-control-allow-credentials'), null, path)
  }
  const refused = await fetch(`${service.base}/oauth/token`, {
    method: 'POST',
    headers: { ...origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code',
  })
  t.is(refused.headers.get('access-control-allow-origin'), '*')
  t.is(refused.headers.get('cache-control'), 'no-store')
  t.is(refused.headers.get('set-cookie'), null)
  const asking = await (await OAuthClient.register(ask)).authorize()
  t.like(asking.headers, { 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  t.is(asking.headers['access-control-allow-origin'], undefined)
})

test('no token, code, verifier or secret is in the metrics', async (t) => {
  const by = await owner()
  const tokens = await letIn(by, await OAuthClient.register(ask, { token_endpoint_auth_method: 'client_secret_post' }))
  const { text } = await call('GET', `${service.base}/metrics`)
  t.regex(text, /oauth_tokens_total\{grant_type="authorization_code",outcome="issued"\} [1-9]/)
  t.regex(text, /oauth_consents_total\{outcome="allowed"\} [1-9]/)
  for (const secret of [tokens.access_token, tokens.refresh_token]) t.false(text.includes(secret))
})

test('the lines of docs/oauth.md do what they say', async (t) => {
  const made = await askToCreateTenant(service.dataDir, 'Reading on')
  const text = await readFile(new URL('../../docs/oauth.md', import.meta.url), 'utf8')
  const lines = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block).join('\n')
  const script = `set -e\n${lines.replaceAll('http://localhost:3000', service.base)}\necho; echo "$BACK"; echo "$TOKENS"; rm "$JAR"`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    timeout: PATIENCE_MS,
    env: { PATH: process.env['PATH'] ?? '', KEY: made?.key ?? '' },
  })
  const shown = stdout.trim().split('\n')
  t.true(stdout.includes('401\n'), stdout)
  t.regex(shown.at(-2) ?? '', /^http:\/\/127\.0\.0\.1:8976\/callback\?code=[\w-]{43}&state=xyz&iss=/)
  t.like(JSON.parse(shown.at(-1) ?? ''), { scope: 'numbers:read chat:read', token_type: 'Bearer' })
  t.true(stdout.includes('"clientName":"Desk"'))
})

oauthLifeSuite(test, 'one node', () => ({ service, asked: service.base }))

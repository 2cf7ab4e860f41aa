import test from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../src/domain/limits.ts'
import { PERMISSION_NAMES } from '../../src/domain/permissions.ts'
import {
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  SESSION_REQUESTS_PER_MINUTE,
  USER_AGENT_LENGTH,
} from '../../src/domain/web-session.ts'
import { isOfDashboard } from '../../src/http/request/dashboard-paths.ts'
import type { Log } from '../../src/ports/log.ts'
import { keptCookie, OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { silentLog } from '../helpers/silent.ts'

// [sessions.login.1] [sessions.cookie.1] [sessions.cookie.2] [sessions.login.2] [people.permissions.14]
test('a tenant key opens a session, and a cookie that scripts and other sites do not get keeps it', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const reply = await client.send('POST', '/api/session', {
    headers: OWN_PAGE,
    body: { tenantKey: ` ${world.tenantKey.raw}\n` },
  })
  t.is(reply.status, 200)
  const { csrfToken, ...shown } = reply.body
  t.regex(csrfToken, /^[\w-]{43}$/)
  t.deepEqual(shown, {
    tenant: { id: world.tenantId, name: 'Acme' },
    expiresAt: new Date(world.clock.now() + SESSION_MAX_MS).toISOString(),
    user: null,
    permissions: PERMISSION_NAMES,
  })
  t.deepEqual(
    reply.headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{43};/, '=SECRET;')),
    ['cms_session=SECRET; Path=/; HttpOnly; SameSite=Strict'],
  )
  const read = await client.send('GET', '/api/session', { headers: { cookie: keptCookie(reply) } })
  t.is(read.status, 200)
  t.deepEqual(read.body, reply.body)
  t.is(read.headers.get('set-cookie'), null)
})

// [sessions.cookie.1] [sessions.cookie.2]
test('on https the cookie is one that no other host and no plain connection can set', async (t) => {
  const world = new World()
  const client = await serve(t, world, { baseUrl: 'https://api.example' })
  const reply = await client.send('POST', '/api/session', {
    headers: OWN_PAGE,
    body: { tenantKey: world.tenantKey.raw },
  })
  t.regex(
    reply.headers.get('set-cookie') ?? '',
    /^__Host-cms_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
  t.is((await client.send('GET', '/api/session', { headers: { cookie: keptCookie(reply) } })).status, 200)
  t.is(
    (await client.send('GET', '/api/session', { headers: { cookie: keptCookie(reply).replace('__Host-', '') } }))
      .status,
    401,
  )
})

test('signing in opens a new session, whatever cookie was sent', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const planted = 'cms_session=plantedplantedplantedplantedplantedplantedp'
  const sign = (cookie: string) =>
    client.send('POST', '/api/session', { headers: { ...OWN_PAGE, cookie }, body: { tenantKey: world.tenantKey.raw } })
  const first = await sign(planted)
  const second = await sign(keptCookie(first))
  t.is(new Set([planted, keptCookie(first), keptCookie(second)]).size, 3)
  t.is((await client.send('GET', '/api/session', { headers: { cookie: planted } })).status, 401)
  const crossed = await client.send('DELETE', '/api/session', {
    headers: { ...OWN_PAGE, cookie: keptCookie(second), 'x-csrf-token': first.body.csrfToken },
  })
  t.is(crossed.body.code, 'CSRF_REJECTED', 'the token of another session')
})

test('a malformed cookie, or two cookies, is 401 without a look-up', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { cookie } = await signIn(client, world)
  const secret = cookie.slice('cms_session='.length)
  let lookUps = 0
  const prove = world.webSessions.prove.bind(world.webSessions)
  world.webSessions.prove = (sent) => {
    lookUps++
    return prove(sent)
  }
  const wrong = [
    `${cookie}; ${cookie}`,
    `cms_session=other; ${cookie}`,
    `${cookie}; cms_session=`,
    `cms_session="${secret}"`,
    `cms_session=${secret}${'A'.repeat(8_000)}`,
    `cms_session=${secret.slice(1)}`,
    `cms_session=${secret}=`,
    'cms_session',
    'cms_session=',
    '=',
    ';;;',
    `x${cookie}`,
    `__Host-${cookie}`,
    `CMS_SESSION=${secret}`,
    'cms_session=%00%ff',
    `cms_session=${'é'.repeat(43)}`,
    `cms_session ${secret}`,
  ]
  for (const sent of wrong)
    t.is(
      (await client.send('GET', '/api/session', { headers: { cookie: Buffer.from(sent).toString('latin1') } })).status,
      401,
      sent.slice(0, 80),
    )
  t.is(lookUps, 0)
  t.is((await client.send('GET', '/api/session', { headers: { cookie: `a=1; ${cookie};b=2` } })).status, 200)
})

// [sessions.login.9]
test('wrong keys and login tokens are 401, the key of a number is 403, and neither is told apart from one that was replaced', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const sign = (body: unknown) => client.send('POST', '/api/session', { headers: OWN_PAGE, body })
  const replaced = world.tenantKey.raw
  await world.keys.rotateTenantKey(world.tenantId)
  for (const tenantKey of [replaced, generateApiKey(), 'x', world.tenantKey.id]) {
    const reply = await sign({ tenantKey })
    t.is(reply.status, 401)
    t.deepEqual(reply.body, { error: 'The key is unknown or was replaced' })
    t.is(reply.headers.get('set-cookie'), null)
  }
  for (const loginToken of [`lt_${'A'.repeat(43)}`, 'lt_', replaced]) t.is((await sign({ loginToken })).status, 401)
  const ofNumber = await sign({ tenantKey: world.numberKey.raw })
  t.is(ofNumber.status, 403)
  t.is(ofNumber.body.code, 'NUMBER_SCOPE_NOT_ALLOWED')
  for (const body of [{}, { tenantKey: '' }, { tenantKey: 1 }, { tenantKey: replaced, loginToken: 'lt_x' }, []])
    t.is((await sign(body)).status, 400)
})

// [sessions.login.10]
test('the 21st failure of an address within a minute is 429, a wrong cookie or key counts with a wrong login, and who is right is let in', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const wrong = () => client.send('POST', '/api/session', { headers: OWN_PAGE, body: { tenantKey: generateApiKey() } })
  t.is((await client.send('GET', '/api/session', { headers: { cookie: `cms_session=${'A'.repeat(43)}` } })).status, 401)
  t.is((await client.send('GET', '/v1/status', { key: generateApiKey() })).status, 401)
  for (let i = 2; i < FAILED_AUTH_PER_MINUTE; i++) t.is((await wrong()).status, 401)
  const refused = await wrong()
  t.is(refused.status, 429)
  t.true(Number(refused.headers.get('retry-after')) >= 1)
  t.is((await client.send('GET', '/api/session')).status, 401, 'no cookie is no failed guess')
  await signIn(client, world)
  world.clock.advance(60_000)
  t.is((await wrong()).status, 401)
})

test('requests of a session are counted for itself', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [one, two] = [await signIn(client, world), await signIn(client, world)]
  const first = await one.send('GET', '/api/session')
  t.is(first.headers.get('ratelimit-limit'), String(SESSION_REQUESTS_PER_MINUTE))
  const { id } = (await one.send('GET', '/api/sessions')).body.sessions.find(({ isCurrent }: any) => isCurrent)
  for (let i = 2; i < SESSION_REQUESTS_PER_MINUTE; i++)
    await world.limiter.take(`session:${id}`, SESSION_REQUESTS_PER_MINUTE)
  t.is((await one.send('GET', '/api/session')).status, 429)
  t.is((await two.send('GET', '/api/session')).status, 200)
})

// [sessions.cookie.3]
test('a session is idle for 12 hours at most', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const used = await signIn(client, world)
  world.clock.advance(SESSION_IDLE_MS - 1)
  t.is((await used.send('GET', '/api/session')).status, 200)
  world.clock.advance(SESSION_IDLE_MS)
  t.is((await used.send('GET', '/api/session')).status, 401)
})

// [sessions.login.3]
test('signing out ends the session, and the browser drops the cookie', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [own, other] = [await signIn(client, world), await signIn(client, world)]
  const ended = await own.send('DELETE', '/api/session')
  t.deepEqual(ended.body, { ended: true })
  t.is(ended.headers.get('set-cookie'), 'cms_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
  t.is((await own.send('GET', '/api/session')).status, 401)
  t.is((await other.send('GET', '/api/session')).status, 200)
})

// [sessions.login.4]
test('sessions are listed to their tenant without what opens them, and any of them may be ended', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [own, foreign] = [await signIn(client, world), await signIn(client, world, world.otherTenantKey.raw)]
  world.clock.advance(1)
  await client.send('POST', '/api/session', {
    headers: { ...OWN_PAGE, 'user-agent': `Browser/2${'2'.repeat(2_000)}` },
    body: { tenantKey: world.tenantKey.raw },
  })
  const {
    text,
    body: { sessions },
  } = await own.send('GET', '/api/sessions')
  t.deepEqual(
    sessions.map(({ userAgent, address, isCurrent }: any) => [userAgent, address, isCurrent]),
    [
      [`Browser/2${'2'.repeat(USER_AGENT_LENGTH - 9)}`, '127.0.0.1', false],
      ['node', '127.0.0.1', true],
    ],
  )
  for (const secret of [own.cookie.slice('cms_session='.length), own.csrfToken]) t.false(text.includes(secret))
  const [{ id: foreignId }] = (await foreign.send('GET', '/api/sessions')).body.sessions
  for (const id of [foreignId, 'sess_00000000000000000000000000', '%27'])
    t.is((await own.send('DELETE', `/api/sessions/${id}`)).status, 404)
  const [other, self] = sessions
  const ended = await own.send('DELETE', `/api/sessions/${other.id}`)
  t.deepEqual(ended.body, { ended: true })
  t.is(ended.headers.get('set-cookie'), null)
  t.is((await own.send('DELETE', `/api/sessions/${other.id}`)).status, 404)
  t.is((await foreign.send('GET', '/api/session')).status, 200)
  t.not((await own.send('DELETE', `/api/sessions/${self.id}`)).headers.get('set-cookie'), null, 'its own')
  t.is((await own.send('GET', '/api/sessions')).status, 401)
})

// [sessions.login.13]
test('a session is refused on every node as soon as the key of its tenant is replaced, or it was ended on one', async (t) => {
  const world = new World()
  const [one, two] = [await serve(t, world), await serve(t, world)]
  const [ended, rotated, foreign] = [
    await signIn(one, world),
    await signIn(one, world),
    await signIn(one, world, world.otherTenantKey.raw),
  ]
  const onTwo = (cookie: string) => two.send('GET', '/api/session', { headers: { cookie } })
  for (const { cookie } of [ended, rotated, foreign]) t.is((await onTwo(cookie)).status, 200)
  await ended.send('DELETE', '/api/session')
  t.is((await onTwo(ended.cookie)).status, 401)
  t.is((await onTwo(rotated.cookie)).status, 200)
  t.is((await one.send('POST', '/v1/api-keys/regenerate', { key: world.numberKey.raw })).status, 201)
  t.is((await onTwo(rotated.cookie)).status, 200, 'the key of a number')
  t.is((await one.send('POST', '/v1/api-keys/regenerate', { key: world.tenantKey.raw })).status, 201)
  t.is((await onTwo(rotated.cookie)).status, 401)
  t.is((await onTwo(foreign.cookie)).status, 200)
})

// [sessions.login-links.1]
test('a login token signs one browser in, however many try at once', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const loginToken = await world.webSessions.mintLoginToken(world.tenantId)
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => client.send('POST', '/api/session', { headers: OWN_PAGE, body: { loginToken } })),
  )
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
  const reply = replies.find(({ status }) => status === 200)
  t.is(reply?.body.tenant.id, world.tenantId)
  t.is((await world.webSessions.list(world.tenantId)).length, 1)
})

// [sessions.csrf.3]
test('/v1 reads no cookies and /api reads no keys', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { cookie, csrfToken } = await signIn(client, world)
  const headers = { ...OWN_PAGE, cookie, 'x-csrf-token': csrfToken }
  t.is((await client.send('GET', '/v1/numbers', { headers })).status, 401)
  t.is((await client.send('GET', '/api/session', { key: world.tenantKey.raw })).status, 401)
  t.is(
    (
      await client.send('GET', '/api/session', {
        headers: { 'x-api-key-id': world.tenantKey.id, authorization: `Bearer ${world.tenantKey.raw}` },
      })
    ).status,
    401,
  )
  t.is(
    (await client.send('GET', '/api/session', { key: generateApiKey(), headers })).status,
    200,
    'a wrong one neither',
  )
})

// [sessions.csrf.4] [configuration.variables.24]
test('an unknown path below /api is ROUTE_NOT_FOUND, and where the dashboard is off all are', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const own = await signIn(client, world)
  const off = await serve(t, world, { isDashboardOn: false })
  for (const [served, path] of [
    [client, '/api'],
    [client, '/api/nothing'],
    [client, '/api/v1'],
    [off, '/api/session'],
    [off, '/api/sessions'],
    [off, '/api/sessions/x'],
    [off, '/'],
    [off, '/dashboard'],
    [off, '/dashboard/numbers/x'],
    [off, '/login'],
    [off, '/invite'],
    [off, '/consent/x'],
  ] as const) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await served.send(method, path, { headers: { ...OWN_PAGE, cookie: own.cookie } })
      t.is(reply.status, 404)
      t.is(reply.body.code, 'ROUTE_NOT_FOUND')
    }
  }
})

// [sessions.second-door.5]
test('neither log nor API document contains the secrets of sessions', async (t) => {
  const world = new World()
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  const log: Log = { ...silentLog, info: keep, warn: keep, error: keep }
  const client = await serve(t, world, { log })
  const { cookie, csrfToken, send } = await signIn(client, world)
  await send('GET', '/api/sessions')
  const text = lines.join('\n')
  t.true(text.includes(world.tenantId))
  for (const secret of [cookie.slice('cms_session='.length), csrfToken, world.tenantKey.raw])
    t.false(text.includes(secret))
  const { paths } = (await client.send('GET', '/openapi.json')).body
  t.deepEqual(Object.keys(paths).filter(isOfDashboard), [])
})

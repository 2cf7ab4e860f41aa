import test from 'ava'
import { INVITATION_MS, LOGIN_FAILURES } from '../../src/domain/user.ts'
import { SESSION_MAX_MS } from '../../src/domain/web-session.ts'
import type { Passwords } from '../../src/ports/passwords.ts'
import { keptCookie, OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { browserOf, invite, logIn, PASSWORD, person, post } from '../helpers/people.ts'
import { saysCode, OTHER } from './proxied-logins.ts'

// [sessions.login.5] [sessions.login.2]
test('an invitation sets a password and opens a session, and from then on the password does', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await invite(client, world, 'ADMIN')
  const read = await post(client, '/api/invitations/read', { token: ann.token })
  t.deepEqual(
    [read.status, read.body],
    [200, { email: ann.email, name: null, tenant: { name: 'Acme' } }],
    'it says whom it is for, and is not used up',
  )
  const accepted = await post(client, '/api/invitations/accept', {
    token: ann.token,
    password: PASSWORD,
    name: ' Ann ',
  })
  t.is(accepted.status, 200)
  const { csrfToken, permissions, ...shown } = accepted.body
  t.deepEqual(shown, {
    tenant: { id: world.tenantId, name: 'Acme' },
    expiresAt: new Date(world.clock.now() + SESSION_MAX_MS).toISOString(),
    user: { id: ann.id, email: ann.email, name: 'Ann', role: 'ADMIN' },
  })
  t.is(permissions.length, 15)
  t.regex(
    accepted.headers.get('set-cookie') ?? '',
    /^cms_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict, cms_browser=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/,
  )
  t.deepEqual((await browserOf(client, accepted).send('GET', '/api/session')).body, accepted.body)
  const again = await logIn(client, ` ${ann.email.toUpperCase()} `)
  t.is(again.status, 200)
  t.not(again.body.csrfToken, csrfToken)
  t.like(again.body, { user: shown.user, permissions })
  t.like((await client.send('GET', `/v1/users/${ann.id}`, { key: world.tenantKey.raw })).body, {
    status: 'ACTIVE',
    name: 'Ann',
    lastSeenAt: new Date(world.clock.now()).toISOString(),
  })
})

// [sessions.login.5]
test('an invitation that is unknown, used, replaced, over or of somebody gone is 404, costs no hash, and changes nothing', async (t) => {
  const world = new World()
  let hashes = 0
  const passwords: Passwords = {
    isRight: (...asked) => world.passwords.isRight(...asked),
    hash: (...asked) => {
      hashes++
      return world.passwords.hash(...asked)
    },
  }
  const client = await serve(t, world, { passwords })
  const key = world.tenantKey.raw
  const [used, replaced, disabled, removed, late] = [
    await invite(client, world, 'AGENT'),
    await invite(client, world, 'AGENT'),
    await invite(client, world, 'AGENT'),
    await invite(client, world, 'AGENT'),
    await invite(client, world, 'AGENT'),
  ]
  const accept = (token: string, password = PASSWORD) => post(client, '/api/invitations/accept', { token, password })
  t.is((await accept(used.token, 'short')).status, 400)
  t.is((await accept(used.token)).status, 200, 'a refused password uses nothing up')
  await client.send('POST', `/v1/users/${replaced.id}/invite`, { key })
  await client.send('PATCH', `/v1/users/${disabled.id}`, { key, body: { status: 'DISABLED' } })
  await client.send('DELETE', `/v1/users/${removed.id}`, { key })
  for (const token of [
    used.token,
    replaced.token,
    disabled.token,
    removed.token,
    `${late.token}A`,
    'A'.repeat(43),
    'x',
  ]) {
    t.is(saysCode(await accept(token, OTHER)), '404 INVITATION_NOT_FOUND')
    t.is(saysCode(await post(client, '/api/invitations/read', { token })), '404 INVITATION_NOT_FOUND')
  }
  world.clock.advance(INVITATION_MS)
  t.is(saysCode(await accept(late.token)), '404 INVITATION_NOT_FOUND')
  t.is(hashes, 1)
  t.is((await logIn(client, used.email)).status, 200)
  for (const body of [
    {},
    { token: used.token },
    { token: used.token, password: 'x'.repeat(11) },
    { token: used.token, password: 'x'.repeat(201) },
    { token: used.token, password: '😀'.repeat(11) },
    { token: 1, password: PASSWORD },
  ])
    t.is((await post(client, '/api/invitations/accept', body)).status, 400)
  t.is(
    (await client.send('POST', '/api/invitations/accept', { body: { token: used.token, password: PASSWORD } })).body
      .code,
    'CSRF_REJECTED',
    'by no page of ours',
  )
})

// [people.passwords.1] [people.users.10]
test('of many who use an invitation at once one is let in, and a password has 12 to 200 characters, however many bytes those are', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await invite(client, world, 'AGENT')
  const tries = await Promise.all(
    ['a', 'b', 'c', 'd'].map((one) =>
      post(client, '/api/invitations/accept', { token: ann.token, password: one.repeat(12) }),
    ),
  )
  t.deepEqual(tries.map(saysCode).toSorted(), [
    '200 ',
    '404 INVITATION_NOT_FOUND',
    '404 INVITATION_NOT_FOUND',
    '404 INVITATION_NOT_FOUND',
  ])
  const won = ['a', 'b', 'c', 'd'][tries.findIndex(({ status }) => status === 200)] ?? ''
  t.is((await logIn(client, ann.email, won.repeat(12))).status, 200)
  const bob = await invite(client, world, 'AGENT')
  t.is((await post(client, '/api/invitations/accept', { token: bob.token, password: '😀'.repeat(200) })).status, 200)
  t.is((await logIn(client, bob.email, '😀'.repeat(200))).status, 200)
})

test('no session outlives a login in its browser: what a login, an invitation or a key finds there is over', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [ann, bob] = [await person(client, world, 'AGENT'), await invite(client, world, 'AGENT')]
  const ways = [
    () => logIn(client, ann.email, PASSWORD, { cookie }),
    () => post(client, '/api/invitations/accept', { token: bob.token, password: PASSWORD }, { cookie }),
    () => post(client, '/api/session', { tenantKey: world.tenantKey.raw }, { cookie }),
  ]
  let { cookie } = ann
  for (const way of ways) {
    const before = cookie
    const reply = await way()
    t.is(reply.status, 200)
    cookie = keptCookie(reply)
    t.not(cookie, before)
    t.is((await client.send('GET', '/api/session', { headers: { cookie: before } })).status, 401)
    t.is((await client.send('GET', '/api/session', { headers: { cookie } })).status, 200)
  }
  t.is((await logIn(client, ann.email, OTHER, { cookie })).status, 401)
  t.is((await client.send('GET', '/api/session', { headers: { cookie } })).status, 200, 'a failed login ends nothing')
})

// [sessions.login.6]
test('a person changes the own password: this session goes on, all others of that person end', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  const [second, bob, byKey] = [
    browserOf(client, await logIn(client, ann.email)),
    await person(client, world, 'AGENT'),
    await signIn(client, world),
  ]
  const link = await client.send('POST', `/v1/users/${ann.id}/invite`, { key: world.tenantKey.raw })
  const change = (body: unknown) => ann.send('POST', '/api/session/password', { body })
  t.is(saysCode(await change({ current: OTHER, password: 'the next password' })), '401 INVALID_CREDENTIALS')
  for (const body of [
    { current: PASSWORD },
    { current: PASSWORD, password: 'short' },
    { current: '', password: 'the next password' },
  ])
    t.is((await change(body)).status, 400)
  t.deepEqual((await change({ current: PASSWORD, password: 'the next password' })).body, { changed: true })
  for (const [browser, status] of [
    [ann, 200],
    [second, 401],
    [bob, 200],
    [byKey, 200],
  ] as const)
    t.is((await browser.send('GET', '/api/session')).status, status)
  t.is((await logIn(client, ann.email)).status, 401)
  t.is((await logIn(client, ann.email, 'the next password')).status, 200)
  t.is(
    saysCode(
      await post(client, '/api/invitations/accept', { token: link.body.inviteUrl.split('#')[1], password: OTHER }),
    ),
    '404 INVITATION_NOT_FOUND',
  )
  t.is(
    saysCode(await byKey.send('POST', '/api/session/password', { body: { current: PASSWORD, password: OTHER } })),
    '403 PERMISSION_DENIED',
  )
  t.is(
    (
      await client.send('POST', '/api/session/password', {
        headers: { ...OWN_PAGE, cookie: ann.cookie },
        body: { current: PASSWORD, password: OTHER },
      })
    ).body.code,
    'CSRF_REJECTED',
  )
})

// [sessions.https.1] [sessions.https.2]
test('where the base is http on a host that others reach, passwords and invitations are refused and nothing is looked at; keys are taken', async (t) => {
  const world = new World()
  const ann = await person(await serve(t, world), world, 'AGENT')
  const late = await invite(await serve(t, world), world, 'AGENT')
  const client = await serve(t, world, { baseUrl: 'http://api.example' })
  t.is(saysCode(await logIn(client, ann.email)), '403 HTTPS_REQUIRED')
  t.is(
    saysCode(await post(client, '/api/invitations/accept', { token: late.token, password: PASSWORD })),
    '403 HTTPS_REQUIRED',
  )
  t.is(
    saysCode(
      await post(
        client,
        '/api/session/password',
        { current: PASSWORD, password: OTHER },
        { cookie: ann.cookie, 'x-csrf-token': ann.csrfToken },
      ),
    ),
    '403 HTTPS_REQUIRED',
  )
  t.is((await post(client, '/api/session', { tenantKey: world.tenantKey.raw })).status, 200)
  for (const baseUrl of ['https://api.example', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost'])
    t.is((await logIn(await serve(t, world, { baseUrl }), ann.email)).status, 200, baseUrl)
  const off = await serve(t, world, { isDashboardOn: false })
  for (const path of ['/api/session', '/api/invitations/accept', '/api/session/password'])
    t.is(saysCode(await post(off, path, {})), '404 ROUTE_NOT_FOUND')
})

test('users without the permission to manage the account see and end only their own sessions; a new tenant key ends all sessions', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [admin, agent] = [await person(client, world, 'ADMIN'), await person(client, world, 'AGENT')]
  const byKey = await signIn(client, world)
  const seen = async (browser: { send: Client['send'] }) =>
    (await browser.send('GET', '/api/sessions')).body.sessions.map(({ user }: any) => user?.email ?? null).toSorted()
  t.deepEqual(await seen(agent), [agent.email])
  t.deepEqual(await seen(admin), [null, admin.email, agent.email].toSorted())
  t.is((await seen(byKey)).length, 3)
  const { sessions } = (await admin.send('GET', '/api/sessions')).body
  const idOf = (email: string) => sessions.find(({ user }: any) => user?.email === email).id
  t.is((await agent.send('DELETE', `/api/sessions/${idOf(admin.email)}`)).status, 404)
  t.is((await admin.send('DELETE', `/api/sessions/${idOf(agent.email)}`)).status, 200)
  t.is((await agent.send('GET', '/api/session')).status, 401)
  await client.send('POST', '/v1/api-keys/regenerate', { key: world.tenantKey.raw })
  t.is((await admin.send('GET', '/api/session')).status, 401)
})

test('logins are counted by what was shown and how they ended, and by nothing that names anybody', async (t) => {
  const world = new World()
  const counted: unknown[] = []
  const metrics = {
    ...world.metrics,
    counter: (name: string, ...rest: [string]) =>
      name === 'logins_total'
        ? { add: (labels: unknown) => void counted.push(labels) }
        : world.metrics.counter(name, ...rest),
  }
  const client = await serve(t, world, { metrics })
  const ann = await person(client, world, 'AGENT')
  await logIn(client, ann.email)
  for (let i = 0; i <= LOGIN_FAILURES.ofAddress; i++) await logIn(client, ann.email, OTHER)
  await signIn(client, world)
  t.deepEqual(counted, [
    { by: 'invitation', outcome: 'ok' },
    { by: 'password', outcome: 'ok' },
    ...Array.from({ length: LOGIN_FAILURES.ofAddress }, () => ({ by: 'password', outcome: 'refused' })),
    { by: 'password', outcome: 'limited' },
    { by: 'key', outcome: 'ok' },
  ])
})

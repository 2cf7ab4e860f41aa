import test from 'ava'
import { INVITATION_MS, LOGIN_FAILURES, LOGIN_WINDOW_MS } from '../../src/domain/user.ts'
import { SESSION_MAX_MS } from '../../src/domain/web-session.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../src/domain/limits.ts'
import { createClientAddress } from '../../src/net/client-address.ts'
import type { Passwords } from '../../src/ports/passwords.ts'
import { keptCookie, OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve, World, type Client, type Reply } from '../helpers/http-app.ts'
import { browserOf, invite, logIn, PASSWORD, person, post } from '../helpers/people.ts'

const OTHER = 'a password of somebody else'

function saysCode(reply: Reply): string {
  return `${reply.status} ${reply.body?.code ?? ''}`
}

/** Behind a proxy that names the client: as many addresses as a test wants. */
function serveProxied(t: Parameters<typeof serve>[0], world: World): Promise<Client> {
  return serve(t, world, { clientAddress: createClientAddress(['127.0.0.0/8', '::1']) })
}

function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}

test('an invitation sets a password and opens a session, and from then on the password does', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await invite(client, world, 'ADMIN')
  const read = await post(client, '/api/invitations/read', { token: ann.token })
  t.deepEqual([read.status, read.body], [200, { email: ann.email, name: null, tenant: { name: 'Acme' } }], 'it says whom it is for, and is not used up')
  const accepted = await post(client, '/api/invitations/accept', { token: ann.token, password: PASSWORD, name: ' Ann ' })
  t.is(accepted.status, 200)
  const { csrfToken, permissions, ...shown } = accepted.body
  t.deepEqual(shown, { tenant: { id: world.tenantId, name: 'Acme' }, expiresAt: new Date(world.clock.now() + SESSION_MAX_MS).toISOString(), user: { id: ann.id, email: ann.email, name: 'Ann', role: 'ADMIN' } })
  t.is(permissions.length, 15)
  t.regex(accepted.headers.get('set-cookie') ?? '', /^cms_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict, cms_browser=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/)
  t.deepEqual((await browserOf(client, accepted).send('GET', '/api/session')).body, accepted.body)
  const again = await logIn(client, ` ${ann.email.toUpperCase()} `)
  t.is(again.status, 200)
  t.not(again.body.csrfToken, csrfToken)
  t.like(again.body, { user: shown.user, permissions })
  t.like((await client.send('GET', `/v1/users/${ann.id}`, { key: world.tenantKey.raw })).body, { status: 'ACTIVE', name: 'Ann', lastSeenAt: new Date(world.clock.now()).toISOString() })
})

test('an invitation that is unknown, used, replaced, over or of somebody gone is 404, costs no hash, and changes nothing', async (t) => {
  const world = new World()
  let hashes = 0
  const passwords: Passwords = { isRight: (...asked) => world.passwords.isRight(...asked), hash: (...asked) => { hashes++; return world.passwords.hash(...asked) } }
  const client = await serve(t, world, { passwords })
  const key = world.tenantKey.raw
  const [used, replaced, disabled, removed, late] = [await invite(client, world, 'AGENT'), await invite(client, world, 'AGENT'), await invite(client, world, 'AGENT'), await invite(client, world, 'AGENT'), await invite(client, world, 'AGENT')]
  const accept = (token: string, password = PASSWORD) => post(client, '/api/invitations/accept', { token, password })
  t.is((await accept(used.token, 'short')).status, 400)
  t.is((await accept(used.token)).status, 200, 'a refused password uses nothing up')
  await client.send('POST', `/v1/users/${replaced.id}/invite`, { key })
  await client.send('PATCH', `/v1/users/${disabled.id}`, { key, body: { status: 'DISABLED' } })
  await client.send('DELETE', `/v1/users/${removed.id}`, { key })
  for (const token of [used.token, replaced.token, disabled.token, removed.token, `${late.token}A`, 'A'.repeat(43), 'x']) {
    t.is(saysCode(await accept(token, OTHER)), '404 INVITATION_NOT_FOUND')
    t.is(saysCode(await post(client, '/api/invitations/read', { token })), '404 INVITATION_NOT_FOUND')
  }
  world.clock.advance(INVITATION_MS)
  t.is(saysCode(await accept(late.token)), '404 INVITATION_NOT_FOUND')
  t.is(hashes, 1)
  t.is((await logIn(client, used.email)).status, 200)
  for (const body of [{}, { token: used.token }, { token: used.token, password: 'x'.repeat(11) }, { token: used.token, password: 'x'.repeat(201) }, { token: used.token, password: '😀'.repeat(11) }, { token: 1, password: PASSWORD }]) t.is((await post(client, '/api/invitations/accept', body)).status, 400)
  t.is((await client.send('POST', '/api/invitations/accept', { body: { token: used.token, password: PASSWORD } })).body.code, 'CSRF_REJECTED', 'by no page of ours')
})

test('of many who use an invitation at once one is let in, and a password has 12 to 200 characters, however many bytes those are', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await invite(client, world, 'AGENT')
  const tries = await Promise.all(['a', 'b', 'c', 'd'].map((one) => post(client, '/api/invitations/accept', { token: ann.token, password: one.repeat(12) })))
  t.deepEqual(tries.map(saysCode).toSorted(), ['200 ', '404 INVITATION_NOT_FOUND', '404 INVITATION_NOT_FOUND', '404 INVITATION_NOT_FOUND'])
  const won = ['a', 'b', 'c', 'd'][tries.findIndex(({ status }) => status === 200)] ?? ''
  t.is((await logIn(client, ann.email, won.repeat(12))).status, 200)
  const bob = await invite(client, world, 'AGENT')
  t.is((await post(client, '/api/invitations/accept', { token: bob.token, password: '😀'.repeat(200) })).status, 200)
  t.is((await logIn(client, bob.email, '😀'.repeat(200))).status, 200)
})

test('unknown, wrong, disabled and invited are answered alike, after the same look-ups and the same hash', async (t) => {
  const world = new World()
  const worked: string[] = []
  const watched = <T extends object>(port: T): T => new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (...args: unknown[]) => { worked.push(String(name)); return value.apply(target, args) } : value
    },
  })
  const hashed: (string | null)[] = []
  const passwords: Passwords = { hash: (...asked) => world.passwords.hash(...asked), isRight: (password, hash, payer) => { hashed.push(hash); worked.push('isRight'); return world.passwords.isRight(password, hash, payer) } }
  const client = await serve(t, world, { passwords, users: watched(world.users), loginFailures: watched(world.loginFailures), webSessions: watched(world.webSessions) })
  await person(client, world, 'OWNER')
  const [active, disabled, invited] = [await person(client, world, 'AGENT'), await person(client, world, 'AGENT'), await invite(client, world, 'AGENT')]
  await client.send('PATCH', `/v1/users/${disabled.id}`, { key: world.tenantKey.raw, body: { status: 'DISABLED' } })
  const tries = [[active.email, OTHER], ['nobody@example.com', PASSWORD], [disabled.email, PASSWORD], [disabled.email, OTHER], [invited.email, PASSWORD], ['no address', PASSWORD]] as const
  const seen = new Set<string>()
  for (const [email, password] of tries) {
    worked.length = 0
    const reply = await logIn(client, email, password)
    const headers = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    seen.add(JSON.stringify([reply.status, reply.body, headers, worked]))
  }
  t.is(seen.size, 1, [...seen].join('\n'))
  t.deepEqual(JSON.parse([...seen][0] ?? '')[3], ['note', 'note', 'note', 'findSigningIn', 'isRight'])
  t.like(JSON.parse([...seen][0] ?? ''), [401, { code: 'INVALID_CREDENTIALS' }])
  t.is(hashed.filter((hash) => hash === null).length, 3, 'who has no password is compared with that of nobody')
})

test('the 11th failure of an account and an address within 15 minutes is 429, and so is the right password, while other addresses and accounts are let in', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const [ann, bob] = [await person(client, world, 'AGENT'), await person(client, world, 'AGENT')]
  for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++) {
    t.is(saysCode(await logIn(client, i % 2 ? ann.email : ann.email.toUpperCase(), OTHER, from('203.0.113.1'))), '401 INVALID_CREDENTIALS')
    world.clock.advance(1_000)
  }
  for (const password of [OTHER, PASSWORD]) {
    const refused = await logIn(client, ann.email, password, from('203.0.113.1'))
    t.is(refused.status, 429)
    t.is(refused.headers.get('retry-after'), String(LOGIN_WINDOW_MS / 1_000 - LOGIN_FAILURES.ofAddress))
    t.is(refused.headers.get('set-cookie'), null)
  }
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.2'))).status, 200)
  t.is((await logIn(client, bob.email, PASSWORD, from('203.0.113.1'))).status, 200)
  t.is(saysCode(await logIn(client, 'nobody@example.com', PASSWORD, from('203.0.113.1'))), '401 INVALID_CREDENTIALS')
  world.clock.advance(LOGIN_WINDOW_MS - LOGIN_FAILURES.ofAddress * 1_000)
  t.is((await logIn(client, ann.email, PASSWORD, from('203.0.113.1'))).status, 200)
})

test('an account is locked for all by its 100th failure alone, known or not, and failures of one address are no more than its own ten', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  for (const email of [ann.email, 'nobody@example.com']) {
    for (let i = 0; i < 12; i++) await logIn(client, email, OTHER, from('198.51.100.1'))
    for (let i = 0; i < LOGIN_FAILURES.ofAccount - LOGIN_FAILURES.ofAddress; i++) t.is((await logIn(client, email, OTHER, from(`203.0.113.${i}`))).status, 401)
    t.is((await logIn(client, email, OTHER, from('198.51.100.2'))).status, 429)
  }
  t.is((await logIn(client, ann.email, PASSWORD, from('198.51.100.3'))).status, 429, 'the right one, too')
  world.clock.advance(LOGIN_WINDOW_MS)
  t.is((await logIn(client, ann.email, PASSWORD, from('198.51.100.3'))).status, 200)
})

test('of many guesses at once ten are tried, what is right uses nothing up, and failed keys of the address count apart', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  for (let i = 0; i < 3 * LOGIN_FAILURES.ofAddress; i++) t.is((await logIn(client, ann.email)).status, 200)
  const tries = await Promise.all(Array.from({ length: 30 }, () => logIn(client, ann.email, OTHER)))
  t.deepEqual(new Set(tries.map(({ status }) => status)), new Set([401, 429]))
  t.is(tries.filter(({ status }) => status === 401).length, LOGIN_FAILURES.ofAddress)
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE + 5; i++) await logIn(client, `somebody.${i}@example.com`, OTHER)
  t.is((await client.send('GET', '/v1/status', { key: 'cms_wrong' })).status, 401, 'passwords are no failed keys')
  await signIn(client, world)
})

test('where too many passwords are hashed a login is 503 with retry-after, and none of its failures', async (t) => {
  const world = new World()
  let isBusy = false
  const busy = { ok: false, error: { code: 'BUSY', message: 'later', retryAfterSeconds: 1 } } as const
  const passwords: Passwords = { hash: async (...asked) => isBusy ? busy : world.passwords.hash(...asked), isRight: async (...asked) => isBusy ? busy : world.passwords.isRight(...asked) }
  const client = await serve(t, world, { passwords })
  const [ann, late] = [await person(client, world, 'AGENT'), await invite(client, world, 'AGENT')]
  isBusy = true
  for (let i = 0; i < LOGIN_FAILURES.ofAddress + 1; i++) {
    const reply = await logIn(client, ann.email)
    t.is(saysCode(reply), '503 BUSY')
    t.is(reply.headers.get('retry-after'), '1')
  }
  t.is(saysCode(await post(client, '/api/invitations/accept', { token: late.token, password: PASSWORD })), '503 BUSY')
  isBusy = false
  t.is((await logIn(client, ann.email)).status, 200)
  t.is((await post(client, '/api/invitations/accept', { token: late.token, password: PASSWORD })).status, 200)
})

test('a fault of ours while a password is checked is none of its failures', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  const find = world.users.findSigningIn.bind(world.users)
  world.users.findSigningIn = () => Promise.reject(new Error('broken'))
  for (let i = 0; i < LOGIN_FAILURES.ofAddress + 1; i++) t.is((await logIn(client, ann.email)).status, 500)
  world.users.findSigningIn = find
  t.is((await logIn(client, ann.email)).status, 200)
})

test('who is disabled, or gets another password, while the own one is being checked is not let in', async (t) => {
  const world = new World()
  const ann = { email: '', id: '' }
  let meanwhile: () => Promise<unknown> = async () => {}
  const passwords: Passwords = {
    hash: (...asked) => world.passwords.hash(...asked),
    async isRight(...asked) {
      const right = await world.passwords.isRight(...asked)
      await meanwhile()
      return right
    },
  }
  const client = await serve(t, world, { passwords })
  Object.assign(ann, await person(client, world, 'AGENT'))
  meanwhile = () => client.send('PATCH', `/v1/users/${ann.id}`, { key: world.tenantKey.raw, body: { status: 'DISABLED' } })
  t.is(saysCode(await logIn(client, ann.email)), '401 INVALID_CREDENTIALS')
  meanwhile = async () => {}
  await client.send('PATCH', `/v1/users/${ann.id}`, { key: world.tenantKey.raw, body: { status: 'ACTIVE' } })
  t.is((await logIn(client, ann.email)).status, 200)
})

test('no session outlives a login in its browser: what a login, an invitation or a key finds there is over', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [ann, bob] = [await person(client, world, 'AGENT'), await invite(client, world, 'AGENT')]
  const ways = [() => logIn(client, ann.email, PASSWORD, { cookie }), () => post(client, '/api/invitations/accept', { token: bob.token, password: PASSWORD }, { cookie }), () => post(client, '/api/session', { tenantKey: world.tenantKey.raw }, { cookie })]
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

test('a person changes the own password: this session goes on, all others of that person end', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  const [second, bob, byKey] = [browserOf(client, await logIn(client, ann.email)), await person(client, world, 'AGENT'), await signIn(client, world)]
  const link = await client.send('POST', `/v1/users/${ann.id}/invite`, { key: world.tenantKey.raw })
  const change = (body: unknown) => ann.send('POST', '/api/session/password', { body })
  t.is(saysCode(await change({ current: OTHER, password: 'the next password' })), '401 INVALID_CREDENTIALS')
  for (const body of [{ current: PASSWORD }, { current: PASSWORD, password: 'short' }, { current: '', password: 'the next password' }]) t.is((await change(body)).status, 400)
  t.deepEqual((await change({ current: PASSWORD, password: 'the next password' })).body, { changed: true })
  for (const [browser, status] of [[ann, 200], [second, 401], [bob, 200], [byKey, 200]] as const) t.is((await browser.send('GET', '/api/session')).status, status)
  t.is((await logIn(client, ann.email)).status, 401)
  t.is((await logIn(client, ann.email, 'the next password')).status, 200)
  t.is(saysCode(await post(client, '/api/invitations/accept', { token: link.body.inviteUrl.split('#')[1], password: OTHER })), '404 INVITATION_NOT_FOUND')
  t.is(saysCode(await byKey.send('POST', '/api/session/password', { body: { current: PASSWORD, password: OTHER } })), '403 PERMISSION_DENIED')
  t.is((await client.send('POST', '/api/session/password', { headers: { ...OWN_PAGE, cookie: ann.cookie }, body: { current: PASSWORD, password: OTHER } })).body.code, 'CSRF_REJECTED')
})

test('who has a session guesses the password no faster than who logs in', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++) t.is((await ann.send('POST', '/api/session/password', { body: { current: OTHER, password: 'the next password' } })).status, 401)
  t.is((await ann.send('POST', '/api/session/password', { body: { current: PASSWORD, password: 'the next password' } })).status, 429)
  t.is((await logIn(client, ann.email)).status, 429, 'counted together')
})

test('where the base is http on a host that others reach, passwords and invitations are refused and nothing is looked at; keys are taken', async (t) => {
  const world = new World()
  const ann = await person(await serve(t, world), world, 'AGENT')
  const late = await invite(await serve(t, world), world, 'AGENT')
  const client = await serve(t, world, { baseUrl: 'http://api.example' })
  t.is(saysCode(await logIn(client, ann.email)), '403 HTTPS_REQUIRED')
  t.is(saysCode(await post(client, '/api/invitations/accept', { token: late.token, password: PASSWORD })), '403 HTTPS_REQUIRED')
  t.is(saysCode(await post(client, '/api/session/password', { current: PASSWORD, password: OTHER }, { cookie: ann.cookie, 'x-csrf-token': ann.csrfToken })), '403 HTTPS_REQUIRED')
  t.is((await post(client, '/api/session', { tenantKey: world.tenantKey.raw })).status, 200)
  for (const baseUrl of ['https://api.example', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost']) t.is((await logIn(await serve(t, world, { baseUrl }), ann.email)).status, 200, baseUrl)
  const off = await serve(t, world, { isDashboardOn: false })
  for (const path of ['/api/session', '/api/invitations/accept', '/api/session/password']) t.is(saysCode(await post(off, path, {})), '404 ROUTE_NOT_FOUND')
})

test('who does not manage the account sees and ends sessions of its own alone, and with the key of the tenant all are over', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [admin, agent] = [await person(client, world, 'ADMIN'), await person(client, world, 'AGENT')]
  const byKey = await signIn(client, world)
  const seen = async (browser: { send: Client['send'] }) => (await browser.send('GET', '/api/sessions')).body.sessions.map(({ user }: any) => user?.email ?? null).toSorted()
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
  const metrics = { ...world.metrics, counter: (name: string, ...rest: [string]) => name === 'logins_total' ? { add: (labels: unknown) => void counted.push(labels) } : world.metrics.counter(name, ...rest) }
  const client = await serve(t, world, { metrics })
  const ann = await person(client, world, 'AGENT')
  await logIn(client, ann.email)
  for (let i = 0; i <= LOGIN_FAILURES.ofAddress; i++) await logIn(client, ann.email, OTHER)
  await signIn(client, world)
  t.deepEqual(counted, [
    { by: 'invitation', outcome: 'ok' }, { by: 'password', outcome: 'ok' }, ...Array.from({ length: LOGIN_FAILURES.ofAddress }, () => ({ by: 'password', outcome: 'refused' })),
    { by: 'password', outcome: 'limited' }, { by: 'key', outcome: 'ok' },
  ])
})

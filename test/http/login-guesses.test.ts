import test from 'ava'
import { LOGIN_FAILURES, LOGIN_WINDOW_MS } from '../../src/domain/user.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../src/domain/limits.ts'
import type { Passwords } from '../../src/ports/passwords.ts'
import { signIn } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { invite, logIn, PASSWORD, person, post } from '../helpers/people.ts'
import { OTHER, serveProxied, saysCode, from } from './proxied-logins.ts'

// [sessions.login.11]
test('unknown, wrong, disabled and invited are answered alike, after the same look-ups and the same hash', async (t) => {
  const world = new World()
  const worked: string[] = []
  const watched = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function'
          ? (...args: unknown[]) => {
              worked.push(String(name))
              return value.apply(target, args)
            }
          : value
      },
    })
  const hashed: (string | null)[] = []
  const passwords: Passwords = {
    hash: (...asked) => world.passwords.hash(...asked),
    isRight: (password, hash, payer) => {
      hashed.push(hash)
      worked.push('isRight')
      return world.passwords.isRight(password, hash, payer)
    },
  }
  const client = await serve(t, world, {
    passwords,
    users: watched(world.users),
    loginFailures: watched(world.loginFailures),
    webSessions: watched(world.webSessions),
  })
  await person(client, world, 'OWNER')
  const [active, disabled, invited] = [
    await person(client, world, 'AGENT'),
    await person(client, world, 'AGENT'),
    await invite(client, world, 'AGENT'),
  ]
  await client.send('PATCH', `/v1/users/${disabled.id}`, { key: world.tenantKey.raw, body: { status: 'DISABLED' } })
  const tries = [
    [active.email, OTHER],
    ['nobody@example.com', PASSWORD],
    [disabled.email, PASSWORD],
    [disabled.email, OTHER],
    [invited.email, PASSWORD],
    ['no address', PASSWORD],
  ] as const
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

// [sessions.login.12]
test('the 11th failure of an account and an address within 15 minutes is 429, and so is the right password, while other addresses and accounts are let in', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const [ann, bob] = [await person(client, world, 'AGENT'), await person(client, world, 'AGENT')]
  for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++) {
    t.is(
      saysCode(await logIn(client, i % 2 ? ann.email : ann.email.toUpperCase(), OTHER, from('203.0.113.1'))),
      '401 INVALID_CREDENTIALS',
    )
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

// [sessions.login.12]
test('an account is locked for all by its 100th failure alone, known or not, and failures of one address are no more than its own ten', async (t) => {
  const world = new World()
  const client = await serveProxied(t, world)
  const ann = await person(client, world, 'AGENT')
  for (const email of [ann.email, 'nobody@example.com']) {
    for (let i = 0; i < 12; i++) await logIn(client, email, OTHER, from('198.51.100.1'))
    for (let i = 0; i < LOGIN_FAILURES.ofAccount - LOGIN_FAILURES.ofAddress; i++)
      t.is((await logIn(client, email, OTHER, from(`203.0.113.${i}`))).status, 401)
    t.is((await logIn(client, email, OTHER, from('198.51.100.2'))).status, 429)
  }
  t.is((await logIn(client, ann.email, PASSWORD, from('198.51.100.3'))).status, 429, 'the right one, too')
  world.clock.advance(LOGIN_WINDOW_MS)
  t.is((await logIn(client, ann.email, PASSWORD, from('198.51.100.3'))).status, 200)
})

test('of many simultaneous guesses ten are tried, a right one uses no try, and failed keys of the address are counted separately', async (t) => {
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
  const passwords: Passwords = {
    hash: async (...asked) => (isBusy ? busy : world.passwords.hash(...asked)),
    isRight: async (...asked) => (isBusy ? busy : world.passwords.isRight(...asked)),
  }
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

test('a user who is disabled, or whose password changes, during the check of the password is not let in', async (t) => {
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
  meanwhile = () =>
    client.send('PATCH', `/v1/users/${ann.id}`, { key: world.tenantKey.raw, body: { status: 'DISABLED' } })
  t.is(saysCode(await logIn(client, ann.email)), '401 INVALID_CREDENTIALS')
  meanwhile = async () => {}
  await client.send('PATCH', `/v1/users/${ann.id}`, { key: world.tenantKey.raw, body: { status: 'ACTIVE' } })
  t.is((await logIn(client, ann.email)).status, 200)
})

test('a session does not allow faster guesses of the password than a login', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ann = await person(client, world, 'AGENT')
  for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++)
    t.is(
      (await ann.send('POST', '/api/session/password', { body: { current: OTHER, password: 'the next password' } }))
        .status,
      401,
    )
  t.is(
    (await ann.send('POST', '/api/session/password', { body: { current: PASSWORD, password: 'the next password' } }))
      .status,
    429,
  )
  t.is((await logIn(client, ann.email)).status, 429, 'counted together')
})

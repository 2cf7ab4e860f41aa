import test from 'ava'
import { INVITATION_MS } from '../../src/domain/user.ts'
import type { Log } from '../../src/ports/log.ts'
import { OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { browserOf, invite, logIn, PASSWORD, person, post } from '../helpers/people.ts'
import { silentLog } from '../helpers/silent.ts'

function saysCode(reply: Reply): string {
  return `${reply.status} ${reply.body?.code ?? ''}`
}

// [people.users.2] [people.users.4] [people.users.5] [people.users.6] [people.users.7] [people.users.8]
// [people.users.9] [people.users.10] [rest.ids.1] [people.users.11] [people.owners.4]
test('the key of the tenant invites somebody, shows the link once, and lists, reads, changes and removes', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const key = world.tenantKey.raw
  const made = await client.send('POST', '/v1/users', {
    key,
    body: { email: 'Ann@Example.com', role: 'OWNER', name: ' Ann ' },
  })
  t.is(made.status, 201)
  const { inviteUrl, ...user } = made.body
  t.regex(inviteUrl, /^http:\/\/localhost:3000\/invite#[\w-]{43}$/)
  t.deepEqual(user, {
    id: user.id,
    email: 'Ann@Example.com',
    name: 'Ann',
    role: 'OWNER',
    status: 'INVITED',
    lastSeenAt: null,
    createdAt: new Date(world.clock.now()).toISOString(),
  })
  t.regex(user.id, /^usr_[0-9a-z]{26}$/)
  t.deepEqual((await client.send('GET', '/v1/users', { key })).body, [user])
  t.deepEqual((await client.send('GET', `/v1/users/${user.id}`, { key })).body, user)
  t.is(
    saysCode(await client.send('POST', '/v1/users', { key, body: { email: 'aNN@example.COM', role: 'AGENT' } })),
    '409 USER_ALREADY_EXISTS',
  )
  t.is(
    saysCode(
      await client.send('POST', '/v1/users', {
        key: world.otherTenantKey.raw,
        body: { email: 'ann@example.com', role: 'AGENT' },
      }),
    ),
    '409 USER_ALREADY_EXISTS',
  )
  const changed = await client.send('PATCH', `/v1/users/${user.id}`, { key, body: { name: null, role: 'ADMIN' } })
  t.deepEqual(changed.body, { ...user, name: null, role: 'ADMIN' })
  const again = await client.send('POST', `/v1/users/${user.id}/invite`, { key })
  t.is(again.status, 201)
  t.regex(again.body.inviteUrl, /\/invite#[\w-]{43}$/)
  t.not(again.body.inviteUrl, inviteUrl)
  t.is(again.body.expiresAt, new Date(world.clock.now() + INVITATION_MS).toISOString())
  t.deepEqual((await client.send('DELETE', `/v1/users/${user.id}`, { key })).body, { deleted: true, id: user.id })
  t.is(saysCode(await client.send('GET', `/v1/users/${user.id}`, { key })), '404 USER_NOT_FOUND')
})

// [people.users.3]
test('people of another tenant are unknown, the key of a number may not ask, and nonsense is 400', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id } = await invite(client, world, 'AGENT')
  const paths = [
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/invite'],
    ['DELETE', ''],
  ] as const
  for (const [method, rest] of paths) {
    const body = method === 'PATCH' ? { name: 'Mine' } : undefined
    t.is(
      saysCode(await client.send(method, `/v1/users/${id}${rest}`, { key: world.otherTenantKey.raw, body })),
      '404 USER_NOT_FOUND',
    )
    t.is(
      saysCode(await client.send(method, `/v1/users/usr_${'0'.repeat(26)}${rest}`, { key: world.tenantKey.raw, body })),
      '404 USER_NOT_FOUND',
    )
    t.is(
      saysCode(await client.send(method, `/v1/users/${id}${rest}`, { key: world.numberKey.raw, body })),
      '403 NUMBER_SCOPE_NOT_ALLOWED',
    )
  }
  t.is(saysCode(await client.send('GET', '/v1/users', { key: world.numberKey.raw })), '403 NUMBER_SCOPE_NOT_ALLOWED')
  const create = { email: 'x@example.com', role: 'AGENT' }
  const wrong = [
    {},
    { ...create, email: 'x' },
    { ...create, email: 'a@b@c.de' },
    { ...create, email: `${'x'.repeat(250)}@example.com` },
    { ...create, email: ['x@example.com'] },
    { ...create, role: 'owner' },
    { ...create, role: 'ROOT' },
    { ...create, name: '' },
    { ...create, name: 'a\u202eb' },
    { ...create, name: 'x'.repeat(101) },
    { ...create, email: 'x\0@example.com' },
  ]
  for (const body of wrong)
    t.is((await client.send('POST', '/v1/users', { key: world.tenantKey.raw, body })).status, 400, JSON.stringify(body))
  for (const body of [{ status: 'INVITED' }, { role: null }, { status: 'active' }, { name: 1 }])
    t.is((await client.send('PATCH', `/v1/users/${id}`, { key: world.tenantKey.raw, body })).status, 400)
  t.is((await client.send('GET', '/v1/users', { key: world.tenantKey.raw })).body.length, 1)
})

// [people.owners.1]
test('the last active OWNER is neither demoted, disabled nor removed, whoever is invited or disabled beside', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const key = world.tenantKey.raw
  const owner = await person(client, world, 'OWNER')
  await invite(client, world, 'OWNER')
  const second = await person(client, world, 'OWNER')
  const patch = (id: string, body: unknown) => client.send('PATCH', `/v1/users/${id}`, { key, body })
  t.like((await patch(second.id, { status: 'DISABLED' })).body, { status: 'DISABLED' })
  for (const body of [{ role: 'ADMIN' }, { status: 'DISABLED' }, { role: 'AGENT', status: 'DISABLED' }])
    t.is(saysCode(await patch(owner.id, body)), '409 LAST_OWNER')
  t.is(saysCode(await client.send('DELETE', `/v1/users/${owner.id}`, { key })), '409 LAST_OWNER')
  t.is((await owner.send('GET', '/api/session')).body.user.role, 'OWNER', 'nothing changed')
  t.is((await patch(owner.id, { name: 'Still' })).status, 200)
  t.is((await patch(second.id, { status: 'ACTIVE' })).status, 200)
  const both = await Promise.all([
    patch(owner.id, { role: 'ADMIN' }),
    client.send('DELETE', `/v1/users/${second.id}`, { key }),
  ])
  t.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
})

test('a user without a password becomes INVITED when ACTIVE is requested, and does not count as an active OWNER', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const key = world.tenantKey.raw
  const owner = await person(client, world, 'OWNER')
  const { id } = await invite(client, world, 'OWNER')
  const patch = async (body: unknown) => (await client.send('PATCH', `/v1/users/${id}`, { key, body })).body.status
  t.is(await patch({ status: 'ACTIVE' }), 'INVITED')
  t.is(await patch({ status: 'DISABLED' }), 'DISABLED')
  t.is(
    (await client.send('POST', `/v1/users/${id}/invite`, { key })).status,
    400,
    'a link of somebody who is DISABLED would open nothing',
  )
  t.is(await patch({ status: 'ACTIVE' }), 'INVITED')
  t.is(saysCode(await client.send('DELETE', `/v1/users/${owner.id}`, { key })), '409 LAST_OWNER')
})

// [people.owners.2] [sessions.second-door.2]
test('an ADMIN makes and changes everybody but OWNERs, an AGENT and an ANALYST nobody', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [owner, second, admin, agent, analyst] = [
    await person(client, world, 'OWNER'),
    await person(client, world, 'OWNER'),
    await person(client, world, 'ADMIN'),
    await person(client, world, 'AGENT'),
    await person(client, world, 'ANALYST'),
  ]
  const tries = (id: string): readonly [string, string, unknown][] => [
    ['PATCH', `/api/v1/users/${id}`, { role: 'AGENT' }],
    ['PATCH', `/api/v1/users/${id}`, { status: 'DISABLED' }],
    ['PATCH', `/api/v1/users/${id}`, { name: 'X' }],
    ['POST', `/api/v1/users/${id}/invite`, undefined],
    ['DELETE', `/api/v1/users/${id}`, undefined],
  ]
  const ofOwner: readonly [string, string, unknown][] = [
    ...tries(second.id),
    ['POST', '/api/v1/users', { email: 'o@example.com', role: 'OWNER' }],
    ['PATCH', `/api/v1/users/${agent.id}`, { role: 'OWNER' }],
    ['PATCH', `/api/v1/users/${admin.id}`, { role: 'OWNER' }],
  ]
  for (const [method, path, body] of ofOwner)
    t.is(saysCode(await admin.send(method, path, { body })), '403 PERMISSION_DENIED', `${method} ${path}`)
  for (const low of [agent, analyst]) {
    for (const [method, path, body] of [
      ...tries(analyst.id),
      ...ofOwner,
      ['GET', '/api/v1/users', undefined],
      ['GET', `/api/v1/users/${low.id}`, undefined],
    ] as const)
      t.is(saysCode(await low.send(method, path, { body })), '403 PERMISSION_DENIED', `${method} ${path}`)
  }
  t.is((await admin.send('GET', '/api/v1/users')).body.length, 5)
  t.is((await admin.send('POST', '/api/v1/users', { body: { email: 'a@example.com', role: 'ADMIN' } })).status, 201)
  t.is((await admin.send('PATCH', `/api/v1/users/${agent.id}`, { body: { role: 'ANALYST' } })).status, 200)
  t.is((await admin.send('DELETE', `/api/v1/users/${analyst.id}`)).status, 200)
  t.is((await owner.send('PATCH', `/api/v1/users/${second.id}`, { body: { role: 'AGENT' } })).status, 200)
  const byKey = await signIn(client, world)
  t.is(
    (await byKey.send('PATCH', `/api/v1/users/${second.id}`, { body: { role: 'OWNER' } })).status,
    200,
    'a session by the key acts as an OWNER',
  )
})

// [people.owners.3]
test('a changed role, a disabled and a removed person act at once on the sessions of both nodes, and broadcast it', async (t) => {
  const world = new World()
  const [one, two] = [await serve(t, world), await serve(t, world)]
  const key = world.tenantKey.raw
  await person(one, world, 'OWNER')
  const ann = await person(one, world, 'ADMIN')
  const told: string[] = []
  world.broadcast.subscribe('key.rotated', (id) => void told.push(id))
  const onTwo = (path: string) => two.send('GET', path, { headers: { cookie: ann.cookie } })
  t.true((await onTwo('/api/session')).body.permissions.includes('account:manage'))
  await one.send('PATCH', `/v1/users/${ann.id}`, { key, body: { role: 'ANALYST' } })
  const { user, permissions } = (await onTwo('/api/session')).body
  t.is(user.role, 'ANALYST')
  t.deepEqual(permissions, ['numbers:read', 'templates:read', 'flows:read', 'ads:read'])
  await one.send('PATCH', `/v1/users/${ann.id}`, { key, body: { status: 'DISABLED' } })
  t.is((await onTwo('/api/session')).status, 401)
  await one.send('PATCH', `/v1/users/${ann.id}`, { key, body: { status: 'ACTIVE' } })
  t.is((await onTwo('/api/session')).status, 401, 'what ended stays over')
  const again = browserOf(two, await logIn(two, ann.email))
  t.is((await again.send('GET', '/api/session')).status, 200)
  await one.send('DELETE', `/v1/users/${ann.id}`, { key })
  t.is((await again.send('GET', '/api/session')).status, 401)
  t.is(saysCode(await logIn(one, ann.email)), '401 INVALID_CREDENTIALS')
  t.deepEqual(
    told,
    Array.from({ length: 4 }, () => ann.id),
  )
})

test("neither log nor API document nor metrics contain secrets of people's sessions", async (t) => {
  const world = new World()
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  const log: Log = { ...silentLog, info: keep, warn: keep, error: keep }
  const client = await serve(t, world, { log })
  const ann = await person(client, world, 'OWNER')
  const wrong = await logIn(client, ann.email, 'a password that is wrong')
  const right = browserOf(client, await logIn(client, ann.email))
  const changed = await right.send('POST', '/api/session/password', {
    body: { current: PASSWORD, password: 'another password entirely' },
  })
  t.is(changed.status, 200)
  const unreadable = await client.send('POST', '/api/session', {
    headers: OWN_PAGE,
    body: `{"email":"${ann.email}","password":"${PASSWORD}"`,
  })
  t.is(unreadable.status, 400)
  const short = await post(client, '/api/invitations/accept', { token: ann.token, password: 'too short!' })
  t.is(short.status, 400)
  const text = [...lines, wrong.text, unreadable.text, short.text].join('\n')
  t.true(text.includes(world.tenantId))
  for (const secret of [
    PASSWORD,
    'a password that is wrong',
    'another password entirely',
    'too short!',
    ann.token,
    ann.cookie.split('=')[1] ?? '',
    ann.csrfToken,
    right.cookie.split('=')[1] ?? '',
  ])
    t.false(text.includes(secret), secret)
  const { paths } = (await client.send('GET', '/openapi.json')).body
  t.deepEqual(
    Object.keys(paths).filter((path) => path.includes('users')),
    ['/v1/users', '/v1/users/{id}', '/v1/users/{id}/invite'],
  )
})

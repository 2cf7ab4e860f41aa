import test from 'ava'
import * as schema from '../../src/http/routes/embed-sessions/schema.ts'
import { HOST_ORIGIN, mint, refresh } from '../helpers/embeds.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const WANTED = { surface: 'chat', allowedOrigins: [HOST_ORIGIN] }

// [embeds.routes.1]
test('a session is minted with its token and its times, and the answer contains no key', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const body = {
    ...WANTED,
    channelNumberIds: [world.number.id, world.number.id],
    allowedOrigins: [HOST_ORIGIN, 'http://localhost:5173', HOST_ORIGIN],
  }
  const reply = await client.send('POST', '/v1/embed/sessions', { key: world.tenantKey.raw, body })
  t.is(reply.status, 201)
  t.deepEqual(schema.minted.parse(reply.body), reply.body)
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString()
  t.deepEqual(reply.body, {
    id: reply.body.id,
    token: reply.body.token,
    surface: 'chat',
    channelNumberIds: [world.number.id],
    allowedOrigins: [HOST_ORIGIN, 'http://localhost:5173'],
    startConversation: false,
    expiresAt: at(900_000),
    maxExpiresAt: at(43_200_000),
  })
  t.true(reply.body.token.startsWith(`${reply.body.id}.`))
})

// [embeds.routes.1]
test('a session lives as long as is asked for, 15 minutes of surface chat, 30 of surface connect', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const lives = async (fields: object) => {
    const { body } = await client.send('POST', '/v1/embed/sessions', {
      key: world.numberKey.raw,
      body: { ...WANTED, ...fields },
    })
    return (Date.parse(body.expiresAt) - world.clock.now()) / 1_000
  }
  t.deepEqual(
    [
      await lives({}),
      await lives({ surface: 'connect' }),
      await lives({ ttlSeconds: 60 }),
      await lives({ ttlSeconds: 3_600 }),
    ],
    [900, 1_800, 60, 3_600],
  )
})

// [embeds.routes.6]
test('the key of a number mints for its own number, whatever is asked for', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const numbersOf = async (fields: object) =>
    (await client.send('POST', '/v1/embed/sessions', { key: world.numberKey.raw, body: { ...WANTED, ...fields } })).body
      .channelNumberIds
  const asked: object[] = [
    {},
    { channelNumberIds: [] },
    { channelNumberIds: [world.foreignNumber.id] },
    { surface: 'connect' },
    ...[5, null, 'x', {}, [5], Array.from({ length: 51 }, () => 'x')].map((channelNumberIds) => ({ channelNumberIds })),
  ]
  for (const fields of asked) t.deepEqual(await numbersOf(fields), [world.number.id])
})

test('a tenant key that names a number in the header mints, lists and revokes for that one', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const other = world.addNumber(world.tenantId, '5511900001111')
  const asked = { key: world.tenantKey.raw, headers: { 'x-channel-number-id': world.number.id } }
  const minted = await client.send('POST', '/v1/embed/sessions', {
    ...asked,
    body: { ...WANTED, channelNumberIds: [other.number.id] },
  })
  t.deepEqual(minted.body.channelNumberIds, [world.number.id])
  const foreign = await mint(client, world, { channelNumberIds: [other.number.id] })
  t.deepEqual(
    (await client.send('GET', '/v1/embed/sessions', asked)).body.sessions.map(({ id }: { id: string }) => id),
    [minted.body.id],
  )
  t.is((await client.send('DELETE', `/v1/embed/sessions/${foreign.id}`, asked)).status, 404)
})

// [embeds.routes.1] [embeds.routes.5] [embeds.tokens.3]
test('chat needs numbers of the tenant; connect without numbers covers all of them', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const send = (fields: object) =>
    client.send('POST', '/v1/embed/sessions', { key: world.tenantKey.raw, body: { ...WANTED, ...fields } })
  const none = await send({})
  t.is(none.status, 400)
  t.deepEqual(none.body.details, [{ path: 'channelNumberIds', message: 'is needed for chat' }])
  t.is((await send({ channelNumberIds: [] })).status, 400)
  t.is((await send({ surface: 'connect', channelNumberIds: [] })).status, 400)
  t.is((await send({ channelNumberIds: Array.from({ length: 51 }, () => world.number.id) })).status, 400)
  for (const channelNumberIds of [5, null, 'x', {}, [5], [[world.number.id]]])
    t.is((await send({ channelNumberIds })).status, 400, JSON.stringify(channelNumberIds))
  for (const id of [world.foreignNumber.id, 'num_00000000000000000000000000', 'x']) {
    const { status, body } = await send({ channelNumberIds: [world.number.id, id] })
    t.deepEqual([status, body.code], [404, 'NUMBER_NOT_FOUND'], id)
  }
  const all = await send({ surface: 'connect' })
  t.deepEqual([all.status, all.body.channelNumberIds], [201, []])
})

const REFUSED: Record<string, object> = {
  'no surface': { surface: undefined },
  'an unknown surface': { surface: 'calls' },
  'no origin': { allowedOrigins: [] },
  'any origin': { allowedOrigins: ['*'] },
  'an origin with a path': { allowedOrigins: [HOST_ORIGIN, `${HOST_ORIGIN}/`] },
  'more than 20 origins': { allowedOrigins: Array.from({ length: 21 }, (_, index) => `https://${index}.example`) },
  'a life under a minute': { ttlSeconds: 59 },
  'a life over an hour': { ttlSeconds: 3_601 },
  'half a second': { ttlSeconds: 60.5 },
  'a colour that is none': { brandingOverride: { primaryColor: 'red' } },
  'a script as logo': { brandingOverride: { logoUrl: 'javascript:alert(1)' } },
}

for (const [what, fields] of Object.entries(REFUSED)) {
  // [branding.fields.14]
  test(`${what} is refused`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    t.is(
      (await client.send('POST', '/v1/embed/sessions', { key: world.numberKey.raw, body: { ...WANTED, ...fields } }))
        .status,
      400,
    )
    t.deepEqual(await world.embedSessions.list(world.tenantId, null), [])
  })
}

// [embeds.routes.7]
test('an Idempotency-Key is ignored: each request mints a session', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ask = () =>
    client.send('POST', '/v1/embed/sessions', {
      key: world.numberKey.raw,
      body: WANTED,
      headers: { 'idempotency-key': 'once' },
    })
  const [one, two] = [await ask(), await ask()]
  t.is(two.status, 201)
  t.not(one.body.id, two.body.id)
  t.is(two.headers.get('idempotency-replayed'), null)
})

// [embeds.routes.2]
test('the list shows live sessions newest first, and no tokens; of a number those of it alone', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  await mint(client, world, { channelNumberIds: [world.foreignNumber.id] }, world.otherTenantKey.raw)
  const chat = await mint(client, world)
  const all = await mint(client, world, { surface: 'connect', channelNumberIds: undefined })
  await refresh(client, chat.token)
  const listed = (await client.send('GET', '/v1/embed/sessions', { key: world.tenantKey.raw })).body
  t.deepEqual(schema.sessions.parse(listed), listed)
  t.deepEqual(
    listed.sessions.map(({ id }: { id: string }) => id),
    [all.id, chat.id],
  )
  t.deepEqual(
    [listed.sessions[0].lastUsedAt, listed.sessions[1].lastUsedAt],
    [null, new Date(world.clock.now()).toISOString()],
  )
  t.false(JSON.stringify(listed).includes(chat.token.split('.')[1] ?? '?'))
  const ofNumber = (await client.send('GET', '/v1/embed/sessions', { key: world.numberKey.raw })).body
  t.deepEqual(
    ofNumber.sessions.map(({ id }: { id: string }) => id),
    [chat.id],
  )
})

// [embeds.routes.3]
test('a session is revoked once; unknown and foreign ones are not found', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { id, token } = await mint(client, world)
  const remove = (key: string, path: string) => client.send('DELETE', `/v1/embed/sessions/${path}`, { key })
  for (const [key, path] of [
    [world.otherTenantKey.raw, id],
    [world.foreignKey.raw, id],
    [world.tenantKey.raw, 'emb_00000000000000000000000000'],
  ] as const) {
    const { status, body } = await remove(key, path)
    t.deepEqual([status, body.code], [404, 'EMBED_SESSION_NOT_FOUND'])
  }
  t.is((await refresh(client, token)).status, 200)
  const revoked = await remove(world.numberKey.raw, id)
  t.deepEqual([revoked.status, revoked.body], [200, { revoked: true, id }])
  t.is((await remove(world.tenantKey.raw, id)).status, 404)
  const { status, body } = await refresh(client, token)
  t.deepEqual([status, body.code], [401, 'TOKEN_REVOKED'])
})

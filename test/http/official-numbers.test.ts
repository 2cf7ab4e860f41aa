import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { OfficialFacts } from '../../src/domain/official.ts'
import * as schema from '../../src/http/routes/numbers/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { OFFICIAL_FACTS } from '../helpers/http-memory-official.ts'
import { World } from '../helpers/world.ts'

const BODY = {
  name: 'Desk',
  number: '+55 11 90000-1111',
  officialPhoneId: '106',
  officialAccountId: '205',
  officialAccessToken: 'EAA-token',
  officialAppId: '77',
  officialAppSecret: 'shh',
}
const REJECTED = refuse('OFFICIAL_CREDENTIALS_REJECTED', 'refused', {
  upstreamCode: 190,
  upstreamMessage: 'Invalid OAuth access token',
})

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const create = (body: unknown = BODY, headers: Record<string, string> = {}) =>
    client.send('POST', '/v1/numbers/official', { key: world.tenantKey.raw, body, headers })
  return { world, client, create, upstream: world.official.upstream, noted: world.official.noted }
}

// [official.create.1] [official.create.2] [official.create.3] [numbers.object.7]
// [numbers.object.2] [numbers.object.4] [numbers.object.5]
test('a connected number is verified, subscribed, opened and answered without its secrets', async (t) => {
  const { world, client, create, upstream } = await open(t)
  upstream.script = {
    'calling.enable': () => fail(refuse('OFFICIAL_ERROR', 'no answer')),
    'subscription.subscribe': async (_, url, token) => {
      const challenge = await client.send(
        'GET',
        `${new URL(url).pathname}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`,
      )
      t.is(challenge.text, '42', 'upstream verifies the callback while it is being subscribed')
      return succeed(null)
    },
  }
  const { status, body, text } = await create({ ...BODY, piiMode: 'RELAY_ONLY', settings: { rejectCall: true } })
  t.is(status, 201)
  t.deepEqual(schema.createdOfficialNumber.parse(body), body)
  t.like(body, {
    name: 'Desk',
    number: '5511900001111',
    provider: 'OFFICIAL',
    state: 'OPEN',
    isFullyConnected: true,
    piiMode: 'RELAY_ONLY',
    calling: { status: 'NOT_ENABLED' },
    official: { phoneId: '106', accountId: '205', appId: '77', hasAccessToken: true },
    health: { qualityRating: 'GREEN', messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED', sendable: true },
    webhookUrl: `http://localhost:3000/webhooks/official/${body.id}`,
  })
  t.true(body.settings.rejectCall)
  t.true(body.verifyToken.length >= 32)
  for (const secret of ['EAA-token', 'shh']) t.false(text.includes(secret))
  const credentials = { phoneId: '106', accountId: '205', accessToken: 'EAA-token', appId: '77', appSecret: 'shh' }
  t.deepEqual(
    upstream.asked.map(({ op, args }) => [op, args[0]]),
    [
      ['health.read', credentials],
      ['subscription.subscribe', credentials],
      ['calling.enable', credentials],
    ],
  )
  t.deepEqual(world.directory.received, [body.id])
  t.like((await client.send('GET', '/v1/status', { key: body.apiKey.key })).body, {
    numberId: body.id,
    provider: 'OFFICIAL',
    state: 'OPEN',
  })
  const read = await client.send('GET', `/v1/numbers/${body.id}`, { key: world.tenantKey.raw })
  t.deepEqual(schema.number.parse(read.body), read.body)
  t.false('verifyToken' in read.body)
})

// [official.create.4]
test('a connection that the upstream refuses says why and leaves no number behind', async (t) => {
  const { world, create, upstream } = await open(t)
  upstream.script = { 'health.read': () => fail(REJECTED) }
  const unknown = await create()
  t.like(unknown, {
    status: 422,
    body: {
      code: 'OFFICIAL_CREDENTIALS_REJECTED',
      details: { upstreamCode: 190, upstreamMessage: 'Invalid OAuth access token' },
    },
  })
  upstream.script = { 'subscription.subscribe': () => fail(REJECTED) }
  t.is((await create()).status, 422)
  upstream.script = { 'health.read': () => fail(refuse('OFFICIAL_ERROR', 'no answer')) }
  t.is((await create()).status, 502)
  t.is(world.numbers.rows.size, 2)
  t.deepEqual(world.directory.received, [])
  upstream.script = {}
  t.is((await create()).status, 201)
})

test('a phone id that stands for another number is refused with the number it stands for', async (t) => {
  const { world, create } = await open(t)
  const reply = await create({ ...BODY, number: '5511900002222' })
  t.like(reply, {
    status: 422,
    body: {
      code: 'OFFICIAL_CREDENTIALS_REJECTED',
      details: { upstreamMessage: 'The phone number of this id is +5511900001111' },
    },
  })
  t.is(world.numbers.rows.size, 2)
})

test('a phone id, digits, and a number beyond the plan are taken once, before upstream is subscribed', async (t) => {
  const { world, client, create, upstream } = await open(t)
  t.is((await create()).status, 201)
  const asked = upstream.asked.length
  t.like(await create(), { status: 409, body: { code: 'NUMBER_ALREADY_EXISTS' } })
  const elsewhere = await client.send('POST', '/v1/numbers/official', { key: world.otherTenantKey.raw, body: BODY })
  t.like(elsewhere, { status: 409, body: { code: 'NUMBER_ALREADY_EXISTS' } })
  world.numbers.maxNumbers = 2
  t.like(await create({ ...BODY, officialPhoneId: '107' }), { status: 409 })
  t.deepEqual(
    upstream.asked.slice(asked).map(({ op }) => op),
    ['health.read', 'health.read', 'health.read'],
  )
})

for (const [what, change] of Object.entries<Record<string, unknown>>({
  'no phone id': { officialPhoneId: undefined },
  'no account id': { officialAccountId: '' },
  'no token': { officialAccessToken: ' ' },
  'a token with a line end': { officialAccessToken: 'EAA\r\nx: y' },
  'a phone id that climbs': { officialPhoneId: '../me' },
  'a phone id that is a number': { officialPhoneId: 106 },
  'a secret that is a list': { officialAppSecret: ['x'] },
  'a short number': { number: '123' },
})) {
  test(`a connection with ${what} is refused before upstream is asked`, async (t) => {
    const { create, upstream } = await open(t)
    const reply = await create({ ...BODY, ...change })
    t.is(reply.status, 400)
    t.is(typeof reply.body.details[0].path, 'string')
    t.deepEqual(upstream.asked, [])
  })
}

test('the same idempotency key connects once and answers its secrets again', async (t) => {
  const { create, upstream } = await open(t)
  const first = await create(BODY, { 'idempotency-key': 'a' })
  const again = await create(BODY, { 'idempotency-key': 'a' })
  t.deepEqual(again.body, first.body)
  t.is(upstream.asked.filter(({ op }) => op === 'subscription.subscribe').length, 1)
})

// [numbers.object.6]
test('a refresh reads upstream, keeps what it says, and follows calling that was switched elsewhere', async (t) => {
  const { world, client, upstream } = await open(t)
  const { number } = world.addOfficial()
  const read = (query = '?refresh=1') =>
    client.send('GET', `/v1/numbers/${number.id}${query}`, { key: world.tenantKey.raw })
  t.is((await read('')).body.health.messagingLimitTier, 'TIER_2K')
  t.deepEqual(upstream.asked, [])
  upstream.script = {
    'health.read': () =>
      succeed({
        number: number.number,
        qualityRating: 'RED',
        messagingLimitTier: 'TIER_10K',
        perSecond: 1_000,
        officialStatus: 'BANNED',
      }),
    'calling.readSettings': () => succeed({ status: 'DISABLED' }),
  }
  const refreshed = await read()
  t.deepEqual(refreshed.body.health, {
    qualityRating: 'RED',
    messagingLimitTier: 'TIER_10K',
    officialStatus: 'BANNED',
    sendable: false,
    level: null,
    code: null,
    text: null,
  })
  t.is(refreshed.body.calling.status, 'NOT_ENABLED')
  t.deepEqual((await read('')).body, refreshed.body)
  upstream.script = {}
  const back = await read()
  t.deepEqual([back.body.calling.status, back.body.health.sendable], ['ENABLED', true])
  t.deepEqual(world.official.store.patches.at(-1)?.callingRetry, null)
})

// [message-verbs.pace.2]
test('the limits of a number show its pace, its limit a day, who was reached, and where they are from', async (t) => {
  const world = new World()
  const resetsAt = new Date(Date.UTC(2026, 0, 2))
  const client = await serve(t, world, { reach: { counted: async () => ({ used: 3, resetsAt }) } })
  const read = async ({ id }: { readonly id: string }, key = world.tenantKey.raw) =>
    client.send('GET', `/v1/numbers/${id}/limits`, { key })
  const { number } = world.addOfficial()
  const limits = async (facts: Partial<OfficialFacts>) => {
    world.numbers.rows.set(number.id, { ...number, official: { ...OFFICIAL_FACTS, ...facts } })
    const { status, body } = await read(number)
    t.is(status, 200)
    t.true(schema.limits.safeParse(body).success)
    return body
  }
  t.deepEqual(await limits({ perSecond: 1_000 }), {
    perSecond: 1_000,
    perDay: 2_000,
    used: 3,
    resetsAt: resetsAt.toISOString(),
    source: 'upstream',
  })
  const none = { perDay: null, used: null, resetsAt: null }
  t.deepEqual(await limits({ messagingLimitTier: 'TIER_UNLIMITED' }), { perSecond: 80, ...none, source: 'upstream' })
  t.deepEqual(await limits({ messagingLimitTier: null }), { perSecond: 80, ...none, source: 'default' })
  t.deepEqual((await read(world.number)).body, { perSecond: 20, ...none, source: 'default' })
  t.is((await read(world.number, world.foreignKey.raw)).status, 403)
})

test('a refresh that meets a refused token shows a number that cannot send; any other failure is the answer', async (t) => {
  const { world, client, upstream, noted } = await open(t)
  const { number } = world.addOfficial()
  const read = () => client.send('GET', `/v1/numbers/${number.id}?refresh=1`, { key: world.tenantKey.raw })
  upstream.script = {
    'health.read': () => fail(refuse('OFFICIAL_ERROR', 'no answer')),
    'calling.readSettings': () => fail(refuse('OFFICIAL_ERROR', 'no answer')),
  }
  t.like(await read(), { status: 502, body: { code: 'OFFICIAL_ERROR' } })
  upstream.script = {
    'calling.readSettings': () => fail(REJECTED),
    'health.read': async () => {
      await world.official.store.save(world.tenantId, number.id, { isTokenValid: false })
      return fail(REJECTED)
    },
  }
  const reply = await read()
  t.like(reply, {
    status: 200,
    body: { state: 'OPEN', calling: { status: 'ENABLED' }, health: { sendable: false, officialStatus: 'CONNECTED' } },
  })
  t.true(noted.includes('marks stored'))
  upstream.script = {}
  t.true((await read()).body.health.sendable)
})

test('a refresh of a QR-paired number asks nobody', async (t) => {
  const { world, client, upstream } = await open(t)
  t.is((await client.send('GET', `/v1/numbers/${world.number.id}?refresh=1`, { key: world.tenantKey.raw })).status, 200)
  t.deepEqual(upstream.asked, [])
})

test('pairing and logout are not for OFFICIAL numbers; name, settings and retention are', async (t) => {
  const { world, client } = await open(t)
  const { number } = world.addOfficial()
  for (const [method, verb] of [
    ['GET', 'connect'],
    ['POST', 'connect'],
    ['POST', 'logout'],
  ] as const) {
    t.like(await client.send(method, `/v1/numbers/${number.id}/${verb}`, { key: world.tenantKey.raw }), {
      status: 400,
      body: { code: 'FEATURE_NOT_SUPPORTED' },
    })
  }
  world.directory.script = { ApplySettings: () => succeed(null) }
  const { status, body } = await client.send('PATCH', `/v1/numbers/${number.id}`, {
    key: world.tenantKey.raw,
    body: { name: 'New', settings: { rejectCall: true }, piiMode: 'RELAY_ONLY' },
  })
  t.is(status, 200)
  t.deepEqual(
    [body.name, body.settings.rejectCall, body.piiMode, body.official.phoneId],
    ['New', true, 'RELAY_ONLY', '1000'],
  )
})

// [official.create.5]
test('credentials are replaced by PATCH on OFFICIAL numbers alone, and shown to nobody', async (t) => {
  const { world, client, upstream } = await open(t)
  const { number } = world.addOfficial()
  world.directory.script = { Reopen: () => succeed(null) }
  const patch = (id: string, body: object) =>
    client.send('PATCH', `/v1/numbers/${id}`, { key: world.tenantKey.raw, body })
  const health = (digits: string) => () =>
    succeed({
      number: digits,
      qualityRating: 'GREEN',
      messagingLimitTier: 'TIER_2K',
      officialStatus: 'CONNECTED',
      perSecond: 80,
    })
  upstream.script = { 'health.read': health(number.number) }
  const { status, body, text } = await patch(number.id, {
    officialAccessToken: 'EAA-new-token',
    officialAppId: '78',
    officialAppSecret: 'new-secret',
  })
  t.is(status, 200)
  t.deepEqual(schema.number.parse(body), body)
  t.deepEqual(body.official, { phoneId: '1000', accountId: '2000', appId: '78', hasAccessToken: true })
  for (const secret of ['EAA-new-token', 'new-secret']) t.false(text.includes(secret))
  t.like(world.official.store.secrets.get(number.id)?.credentials, {
    accessToken: 'EAA-new-token',
    appId: '78',
    appSecret: 'new-secret',
  })
  t.deepEqual(
    world.directory.asked.map(({ type }) => type),
    ['ApplySettings', 'Reopen'],
    'what was read with the token are other limits, too',
  )

  upstream.script = { 'health.read': () => fail(REJECTED) }
  t.like(await patch(number.id, { officialAccessToken: 'bad' }), {
    status: 422,
    body: { code: 'OFFICIAL_CREDENTIALS_REJECTED', details: { upstreamCode: 190 } },
  })
  t.like(await patch(world.number.id, { officialAppSecret: 'x' }), {
    status: 400,
    body: { code: 'FEATURE_NOT_SUPPORTED' },
  })
  for (const wrong of [
    { officialAccessToken: '' },
    { officialAccessToken: 'with space' },
    { officialAppId: null },
    { officialAppSecret: 7 },
  ])
    t.is((await patch(number.id, wrong)).status, 400)
})

test('a removed number hands the webhooks of its account over', async (t) => {
  const { world, client, upstream } = await open(t)
  const { number } = world.addOfficial()
  const heir = world.addOfficial('5511966664444')
  world.directory.script = { Remove: () => succeed(null) }
  t.is((await client.send('DELETE', `/v1/numbers/${number.id}`, { key: world.tenantKey.raw })).status, 200)
  t.is((await client.send('DELETE', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })).status, 200)
  t.deepEqual(
    upstream.asked.map(({ op, args }) => [op, ...args.slice(1)]),
    [['subscription.subscribe', `http://localhost:3000/webhooks/official/${heir.number.id}`, 'verify-me']],
  )
})

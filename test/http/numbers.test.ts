import test from 'ava'
import { inflateSync } from 'node:zlib'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { PAIRING_CREATE_WAIT_MS } from '../../src/domain/limits.ts'
import * as schema from '../../src/http/routes/numbers/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { shownCode } from '../helpers/scripted-directory.ts'
import { World } from '../helpers/world.ts'

// [numbers.routes.1] [numbers.life.1] [numbers.settings.1] [rest.errors.5] [rest.phones.1]
test('a created number answers with its settings, its key and the first pairing code', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = { Pair: () => shownCode }
  const settings = { historyImportEnabled: true, rejectCall: true, msgRejectCall: 'later', inventedKey: 1 }
  const { status, body } = await client.send('POST', '/v1/numbers', {
    key: world.tenantKey.raw,
    body: { name: ' Desk ', number: '+55 (11) 90000-1111', settings },
  })
  t.is(status, 201)
  t.deepEqual(schema.createdNumber.parse(body), body)
  t.is(body.name, 'Desk')
  t.is(body.number, '5511900001111')
  t.deepEqual(body.settings, {
    historyImportEnabled: true,
    ignoreNewsletters: false,
    webhookHistoricalMessages: false,
    rejectCall: true,
    msgRejectCall: 'later',
    alwaysOnline: null,
    readMessages: null,
    ignoreGroups: null,
    ignoreStatus: null,
  })
  t.is(body.pairingCode, 'ABCD-1234')
  t.deepEqual(world.directory.asked, [{ type: 'Pair', fields: { waitMs: PAIRING_CREATE_WAIT_MS } }])
  const own = await client.send('GET', '/v1/status', { key: body.apiKey.key })
  t.is(own.body.numberId, body.id)
})

test('a number shows the engine that holds it and how the network thinks of it; before that nothing is known', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const read = async () =>
    (await client.send('GET', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })).body
  t.like(await read(), { engine: null, health: { level: null, code: null, text: null } })
  const engine = { name: 'paper', version: '2.1', capabilities: ['text', 'calls'], callMedia: ['webrtc'] } as const
  world.numbers.put({
    id: world.number.id,
    engine,
    sessionHealth: { level: 'warning', code: 'throttled', text: 'Slow down' },
  })
  const body = await read()
  t.deepEqual(body.engine, { name: 'paper', version: '2.1', capabilities: ['text', 'calls'] })
  t.like(body.health, { sendable: true, level: 'warning', code: 'throttled', text: 'Slow down' })
  t.deepEqual(schema.number.parse(body), body)
})

test('the QR code is a PNG whose pixels are complete', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = { Pair: () => shownCode }
  const { body } = await client.send('GET', `/v1/numbers/${world.number.id}/connect`, { key: world.tenantKey.raw })
  const png = Buffer.from(body.qrcodeBase64.replace('data:image/png;base64,', ''), 'base64')
  t.is(png.subarray(1, 4).toString(), 'PNG')
  const side = png.readUInt32BE(16)
  const pixels = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  t.is(pixels.length, side * (side / 8 + 1))
  t.true(
    pixels.subarray(1, side / 8 + 1).every((byte) => byte === 0xff),
    'the quiet zone is white',
  )
  const row = 4 * 8 * (side / 8 + 1) + 1
  const finder = pixels.subarray(row, row + 12)
  t.deepEqual(
    [...finder],
    [...Array(4).fill(0xff), ...Array(7).fill(0x00), 0xff],
    'four white modules, then the top of a finder pattern',
  )
})

// [numbers.routes.1]
test('a device network that is late leaves the pairing codes null and the number created', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = { Pair: () => fail(refuse('DEVICE_NETWORK_TIMEOUT', 'late')) }
  const { status, body } = await client.send('POST', '/v1/numbers', {
    key: world.tenantKey.raw,
    body: { name: 'Desk', number: '5511900001111' },
  })
  t.is(status, 201)
  t.is(body.qrcodeBase64, null)
  t.is(body.pairingCode, null)
})

// [numbers.life.2] [numbers.life.3] [numbers.routes.10]
test('a number that exists, and one beyond the plan, are refused', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const twice = await client.send('POST', '/v1/numbers', {
    key: world.tenantKey.raw,
    body: { name: 'Desk', number: world.number.number },
  })
  t.is(twice.status, 409)
  t.is(twice.body.code, 'NUMBER_ALREADY_EXISTS')
  world.numbers.maxNumbers = 1
  const full = await client.send('POST', '/v1/numbers', {
    key: world.tenantKey.raw,
    body: { name: 'Desk', number: '5511900001111' },
  })
  t.is(full.status, 409)
  t.is(full.body.code, 'NUMBER_LIMIT_EXCEEDED')
  const plan = await client.send('GET', '/v1/subscription', { key: world.tenantKey.raw })
  t.deepEqual(plan.body, { plan: 'self-hosted', maxNumbers: 1, usedNumbers: 1 })
})

const REFUSED_BODIES: Record<string, unknown> = {
  'no name': { number: '5511900001111' },
  'an empty name': { name: '  ', number: '5511900001111' },
  'a short number': { name: 'a', number: '123456789' },
  'a number of letters': { name: 'a', number: '55119abc01111' },
  'a number that is a number': { name: 'a', number: 5511900001111 },
  'a flag that is a text': { name: 'a', number: '5511900001111', settings: { rejectCall: 'true' } },
  'ignoreNewsletters null': { name: 'a', number: '5511900001111', settings: { ignoreNewsletters: null } },
  'days without a number': { name: 'a', number: '5511900001111', piiMode: 'STORE_X_DAYS' },
  'an unknown mode': { name: 'a', number: '5511900001111', piiMode: 'FOREVER' },
  'a list': [],
  null: null,
}

for (const [what, body] of Object.entries(REFUSED_BODIES)) {
  test(`a creation with ${what} is refused with the place of the fault`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const reply = await client.send('POST', '/v1/numbers', { key: world.tenantKey.raw, body })
    t.is(reply.status, 400)
    t.is(reply.body.code, undefined)
    t.is(typeof reply.body.details[0].path, 'string')
    t.is(typeof reply.body.details[0].message, 'string')
    t.is(world.numbers.rows.size, 2)
  })
}

// [numbers.object.1] [numbers.routes.2]
test('the list holds the numbers of the tenant alone, and narrows to the number named', async (t) => {
  const world = new World()
  const second = world.addNumber(world.tenantId, '5511900002222')
  const client = await serve(t, world)
  const all = await client.send('GET', '/v1/numbers', { key: world.tenantKey.raw })
  t.deepEqual(
    all.body.map(({ id }: any) => id),
    [world.number.id, second.number.id],
  )
  t.deepEqual(schema.number.array().parse(all.body), all.body)
  const one = await client.send('GET', '/v1/numbers', {
    key: world.tenantKey.raw,
    headers: { 'x-channel-number-id': second.number.id },
  })
  t.deepEqual(
    one.body.map(({ id }: any) => id),
    [second.number.id],
  )
  const keys = await client.send('GET', '/v1/api-keys', {
    key: world.tenantKey.raw,
    headers: { 'x-channel-number-id': second.number.id },
  })
  t.deepEqual(
    keys.body.map(({ numberId }: any) => numberId),
    [second.number.id],
  )
})

// [numbers.routes.2]
test('numbers are listed whole, however many, or a page at a time with how many there are, each list of a tenant alone', async (t) => {
  const world = new World()
  const many = Array.from(
    { length: 1_203 },
    (_, at) => world.addNumber(world.tenantId, `55119${String(at).padStart(8, '0')}`).number,
  )
  const client = await serve(t, world)
  const idsOf = async (path: string) => {
    const answer = await client.send('GET', path, { key: world.tenantKey.raw })
    return {
      status: answer.status,
      total: answer.headers.get('x-total-count'),
      ids: answer.body.map(({ id }: { id: string }) => id),
    }
  }
  const all = await idsOf('/v1/numbers')
  t.deepEqual(all, { status: 200, total: null, ids: [world.number, ...many].map(({ id }) => id) })
  t.deepEqual(await idsOf('/v1/numbers?page=2&pageSize=100'), {
    status: 200,
    total: '1204',
    ids: all.ids.slice(100, 200),
  })
  t.deepEqual(await idsOf('/v1/numbers?pageSize=100&page=13'), {
    status: 200,
    total: '1204',
    ids: all.ids.slice(1_200),
  })
  t.deepEqual(await idsOf('/v1/numbers?page=2'), { status: 200, total: '1204', ids: all.ids.slice(30, 60) })
  t.is(
    (await client.send('GET', '/v1/numbers?page=101&pageSize=100', { key: world.tenantKey.raw })).body.code,
    'INVALID_PAGINATION',
  )
})

test('a path and a header that name different numbers are refused', async (t) => {
  const world = new World()
  const second = world.addNumber(world.tenantId, '5511900002222')
  const client = await serve(t, world)
  const reply = await client.send('GET', `/v1/numbers/${world.number.id}`, {
    key: world.tenantKey.raw,
    headers: { 'x-channel-number-id': second.number.id },
  })
  t.is(reply.status, 404)
  t.is(reply.body.code, 'NUMBER_NOT_FOUND')
})

// [numbers.routes.3] [numbers.routes.4] [numbers.routes.9] [numbers.object.2] [numbers.object.4] [numbers.object.5]
test('reads of number, connection and own status say the same', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const number = await client.send('GET', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })
  t.is(number.body.calling, null)
  t.is(number.body.official, null)
  t.true(number.body.health.sendable)
  const connection = await client.send('GET', `/v1/numbers/${world.number.id}/status`, { key: world.tenantKey.raw })
  t.deepEqual(connection.body, { state: 'OPEN', isFullyConnected: true })
  const status = await client.send('GET', '/v1/status', { key: world.numberKey.raw })
  t.deepEqual(status.body, { numberId: world.number.id, provider: 'UNOFFICIAL', state: 'OPEN', isFullyConnected: true })
})

// [numbers.life.4]
test('connect passes on that the number is open, and that no code came', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = { Pair: () => fail(refuse('ALREADY_CONNECTED', 'open')) }
  const open = await client.send('POST', `/v1/numbers/${world.number.id}/connect`, { key: world.tenantKey.raw })
  t.is(open.status, 409)
  t.is(open.body.code, 'ALREADY_CONNECTED')
  world.directory.script = { Pair: () => fail(refuse('DEVICE_NETWORK_TIMEOUT', 'late')) }
  const late = await client.send('GET', `/v1/numbers/${world.number.id}/connect`, { key: world.tenantKey.raw })
  t.is(late.status, 504)
  t.is(late.body.code, 'DEVICE_NETWORK_TIMEOUT')
})

// [numbers.life.5]
test('an OFFICIAL number has no pairing', async (t) => {
  const world = new World()
  world.numbers.put({ id: world.number.id, provider: 'OFFICIAL' })
  const client = await serve(t, world)
  for (const [method, verb] of [
    ['GET', 'connect'],
    ['POST', 'connect'],
    ['POST', 'logout'],
  ] as const) {
    const reply = await client.send(method, `/v1/numbers/${world.number.id}/${verb}`, { key: world.tenantKey.raw })
    t.is(reply.status, 400)
    t.is(reply.body.code, 'FEATURE_NOT_SUPPORTED')
  }
  t.deepEqual(world.directory.asked, [])
})

// [numbers.routes.6] [numbers.life.7] [numbers.settings.7] [rest.errors.5]
test('a patch changes what was sent, resets with null, and tells the session its whole settings without waiting for it', async (t) => {
  const world = new World()
  world.numbers.put({
    id: world.number.id,
    settings: { ...world.number.settings, rejectCall: true, alwaysOnline: true },
  })
  const client = await serve(t, world)
  const { status, body } = await client.send('PATCH', `/v1/numbers/${world.number.id}`, {
    key: world.tenantKey.raw,
    body: { name: 'New name', settings: { rejectCall: null, ignoreGroups: true, unknown: 1 } },
  })
  t.is(status, 200)
  t.is(body.name, 'New name')
  t.deepEqual([body.settings.rejectCall, body.settings.alwaysOnline, body.settings.ignoreGroups], [null, true, true])
  t.false('unknown' in body.settings)
  t.deepEqual(world.directory.asked, [
    { type: 'ApplySettings', fields: { settings: body.settings, piiMode: 'STORE_INDEFINITE' } },
  ])
  t.deepEqual(world.directory.told, ['ApplySettings'])
})

test('a patch of the name alone does not touch the session', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { body } = await client.send('PATCH', `/v1/numbers/${world.number.id}`, {
    key: world.tenantKey.raw,
    body: { name: 'New' },
  })
  t.is(body.name, 'New')
  t.deepEqual(world.directory.asked, [])
})

// [numbers.privacy.2] [numbers.privacy.1]
test('retention by days needs its days, and leaving it forgets them', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const patch = (body: unknown) =>
    client.send('PATCH', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw, body })
  const bare = await patch({ piiMode: 'STORE_X_DAYS' })
  t.is(bare.status, 400)
  t.is(bare.body.details[0].path, 'piiRetentionDays')
  const days = await patch({ piiMode: 'STORE_X_DAYS', piiRetentionDays: 30 })
  t.deepEqual([days.body.piiMode, days.body.piiRetentionDays], ['STORE_X_DAYS', 30])
  const again = await patch({ piiMode: 'STORE_X_DAYS' })
  t.is(again.body.piiRetentionDays, 30)
  const gone = await patch({ piiMode: 'RELAY_ONLY' })
  t.deepEqual([gone.body.piiMode, gone.body.piiRetentionDays], ['RELAY_ONLY', null])
})

// [numbers.routes.7]
test('a logout answers the number as the actor left it', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = {
    Logout: () => {
      world.numbers.put({ id: world.number.id, state: 'CLOSE', isFullyConnected: false })
      return succeed(null)
    },
  }
  const { status, body } = await client.send('POST', `/v1/numbers/${world.number.id}/logout`, {
    key: world.tenantKey.raw,
  })
  t.is(status, 200)
  t.is(body.state, 'CLOSE')
})

// [numbers.routes.8] [numbers.life.9]
test('a removed number is ended first, and its key is refused at once although it was just used', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
  world.directory.script = { Remove: () => succeed(null) }
  const { status, body } = await client.send('DELETE', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })
  t.is(status, 200)
  t.deepEqual(body, { deleted: true, id: world.number.id })
  t.deepEqual(
    world.directory.asked.map(({ type }) => type),
    ['Remove'],
  )
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 401)
  t.is((await client.send('GET', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })).status, 404)
})

test('a number whose end failed is kept', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { status } = await client.send('DELETE', `/v1/numbers/${world.number.id}`, { key: world.tenantKey.raw })
  t.is(status, 503)
  t.true(world.numbers.rows.has(world.number.id))
})

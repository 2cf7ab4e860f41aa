import test from 'ava'
import { KEY_ROTATED } from '../../src/http/request/caller-cache.ts'
import { REGENERATED_REPEAT_MS } from '../../src/domain/limits.ts'
import * as schema from '../../src/http/routes/api-keys/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

// [keys.routes.1] [keys.routes.4] [keys.routes.5]
test('the list shows each number of the tenant with its usable key', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { status, body } = await client.send('GET', '/v1/api-keys', { key: world.tenantKey.raw })
  t.is(status, 200)
  t.deepEqual(schema.keyItem.array().parse(body), body)
  t.deepEqual(body, [
    {
      numberId: world.number.id,
      number: world.number.number,
      displayName: world.number.name,
      keyId: world.numberKey.id,
      keyLast4: world.numberKey.last4,
      key: world.numberKey.raw,
      revealable: true,
    },
  ])
})

// [keys.routes.5]
test('a legacy key without a copy is listed as not revealable', async (t) => {
  const world = new World()
  world.keys.list = async () => [
    {
      numberId: world.number.id,
      number: '55',
      displayName: 'x',
      keyId: world.numberKey.id,
      keyLast4: 'abcd',
      key: null,
    },
  ]
  const client = await serve(t, world)
  const { body } = await client.send('GET', '/v1/api-keys', { key: world.tenantKey.raw })
  t.is(body[0].key, null)
  t.false(body[0].revealable)
})

// [keys.routes.2] [keys.routes.6]
test("replacing a number's key refuses the old one at once although it was just used", async (t) => {
  const world = new World()
  const client = await serve(t, world)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
  const { status, body } = await client.send('POST', '/v1/api-keys', {
    key: world.tenantKey.raw,
    body: { channelNumberId: world.number.id },
  })
  t.is(status, 201)
  t.deepEqual(schema.replacedKey.parse(body), body)
  t.is(body.keyPrefix, body.key.slice(0, 8))
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 401)
  t.is((await client.send('GET', '/v1/status', { key: body.key })).status, 200)
})

test('a key is replaced for own numbers only, and only for the number the header names', async (t) => {
  const world = new World()
  const second = world.addNumber(world.tenantId, '5511900002222')
  const client = await serve(t, world)
  for (const channelNumberId of [world.foreignNumber.id, 'num_x', 'x']) {
    const reply = await client.send('POST', '/v1/api-keys', { key: world.tenantKey.raw, body: { channelNumberId } })
    t.is(reply.status, 404)
    t.is(reply.body.code, 'NUMBER_NOT_FOUND')
  }
  const outside = await client.send('POST', '/v1/api-keys', {
    key: world.tenantKey.raw,
    headers: { 'x-channel-number-id': second.number.id },
    body: { channelNumberId: world.number.id },
  })
  t.is(outside.status, 404)
  t.is((await client.send('POST', '/v1/api-keys', { key: world.tenantKey.raw, body: {} })).status, 400)
})

// [keys.routes.3] [keys.routes.6]
for (const scope of ['TENANT', 'NUMBER'] as const) {
  test(`a ${scope} key replaces itself and is refused from then on`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const own = scope === 'TENANT' ? world.tenantKey : world.numberKey
    const { status, body } = await client.send('POST', '/v1/api-keys/regenerate', { key: own.raw })
    t.is(status, 201)
    t.deepEqual(schema.ownKey.parse(body), body)
    t.is(body.scope, scope)
    t.is(body.channelNumberId, own.numberId)
    t.not(body.key, own.raw)
    t.is((await client.send('POST', '/v1/api-keys/regenerate', { key: own.raw })).status, 401)
    t.is((await client.send('POST', '/v1/api-keys/regenerate', { key: body.key })).status, 201)
  })
}

// [rest.idempotency.6]
for (const scope of ['TENANT', 'NUMBER'] as const) {
  test(`a lost answer of regenerate: the replaced ${scope} key gets it once more, for 10 minutes, and nothing else`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const own = scope === 'TENANT' ? world.tenantKey : world.numberKey
    const regenerate = (headers: Record<string, string>, body?: unknown) =>
      client.send('POST', '/v1/api-keys/regenerate', { headers: { 'idempotency-key': 'lost', ...headers }, body })
    const lost = await regenerate({ 'x-api-key': own.raw })
    t.is(lost.status, 201)
    for (const headers of [{ 'x-api-key': own.raw }, { 'x-api-key-id': own.id }] as Record<string, string>[]) {
      const again = await regenerate(headers)
      t.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [201, lost.text, 'true'])
      const refused = [
        await regenerate({ ...headers, 'idempotency-key': 'other' }),
        await regenerate(headers, { other: 'body' }),
        await client.send('POST', '/v1/api-keys/regenerate', { headers }),
        await client.send('GET', '/v1/status', { headers: { ...headers, 'idempotency-key': 'lost' } }),
        await client.send('POST', '/v1/calls', {
          headers: { ...headers, 'idempotency-key': 'lost' },
          body: { to: '5511999990001' },
        }),
      ]
      t.deepEqual(
        refused.map(({ status }) => status),
        [401, 401, 401, 401, 401],
      )
    }
    t.is((await regenerate({ 'x-api-key': lost.body.key })).text, lost.text, 'the new key finds it too')
    t.is((await client.send('GET', '/v1/webhooks', { key: lost.body.key })).status, 200)
    world.clock.advance(REGENERATED_REPEAT_MS)
    t.is((await regenerate({ 'x-api-key': own.raw })).status, 401)
    t.is((await client.send('GET', '/v1/webhooks', { key: lost.body.key })).status, 200)
  })
}

test('a key replaced while it regenerated itself is told so, and that is no first answer of its number', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { rotateOwnKey } = world.keys
  world.keys.rotateOwnKey = async () => ({ kind: 'gone' })
  const regenerate = () =>
    client.send('POST', '/v1/api-keys/regenerate', { key: world.numberKey.raw, headers: { 'idempotency-key': 'k' } })
  t.is((await regenerate()).status, 401)
  world.keys.rotateOwnKey = rotateOwnKey
  t.is((await regenerate()).status, 201)
})

test('a rotation on another node drops the remembered caller here', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
  await world.keys.rotateNumberKey(world.tenantId, world.number.id)
  t.is(
    (await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status,
    200,
    'still remembered: nobody said so',
  )
  await world.broadcast.publish(KEY_ROTATED, world.number.id)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 401)
})

test('a rotation is announced to other nodes', async (t) => {
  const world = new World()
  const told: string[] = []
  const client = await serve(t, world, {
    broadcast: { subscribe: () => {}, publish: async (topic, text) => void told.push(topic, text) },
  })
  t.is((await client.send('POST', '/v1/api-keys/regenerate', { key: world.numberKey.raw })).status, 201)
  t.deepEqual(told, [KEY_ROTATED, world.numberKey.id])
})

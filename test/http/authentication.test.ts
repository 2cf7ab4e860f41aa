import test from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { newSecretId } from '../../src/domain/ids.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../src/domain/limits.ts'
import { createCallerCache } from '../../src/http/request/caller-cache.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { createClientAddress } from '../../src/net/client-address.ts'

// [keys.credentials.1] [keys.credentials.2] [rest.errors.17]
test('a key and a key id both prove the caller, and the key wins when both are sent', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const byId = await client.send('GET', '/v1/status', { headers: { 'x-api-key-id': world.numberKey.id } })
  t.is(byId.body.numberId, world.number.id)
  const both = await client.send('GET', '/v1/status', {
    key: world.foreignKey.raw,
    headers: { 'x-api-key-id': world.numberKey.id },
  })
  t.is(both.body.numberId, world.foreignNumber.id)
  const wrongKey = await client.send('GET', '/v1/status', {
    key: 'cms_wrong',
    headers: { 'x-api-key-id': world.numberKey.id },
  })
  t.is(wrongKey.status, 401)
})

// [keys.credentials.2] [configuration.variables.21]
test('a key id is refused where the installation turned that off', async (t) => {
  const world = new World()
  const client = await serve(t, world, { apiKeyIdAuth: false })
  t.is((await client.send('GET', '/v1/status', { headers: { 'x-api-key-id': world.numberKey.id } })).status, 401)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
})

test('a key sent as a bearer token is told where it belongs, and proves nothing', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const reply = await client.send('GET', '/v1/status', { headers: { authorization: `Bearer ${world.numberKey.raw}` } })
  t.is(reply.status, 401)
  t.regex(reply.body.error, /x-api-key/)
  t.is(world.keys.lookUps, 0)
})

// [keys.form.3] [rest.errors.17]
test('a typo is refused without a look-up', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { raw } = world.numberKey
  const typo = raw.slice(0, 10) + (raw[10] === 'A' ? 'B' : 'A') + raw.slice(11)
  const reply = await client.send('GET', '/v1/status', { key: typo })
  t.is(reply.status, 401)
  t.deepEqual(Object.keys(reply.body), ['error'])
  t.is((await client.send('GET', '/v1/status', { headers: { 'x-api-key-id': 'key_short' } })).status, 401)
  t.is(world.keys.lookUps, 0)
})

// [nodes.redis-away.2]
test('a caller is looked up once and remembered for the given time', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (let i = 0; i < 3; i++) await client.send('GET', '/v1/status', { key: world.numberKey.raw })
  t.is(world.keys.lookUps, 1)
  world.clock.advance(2_000)
  await client.send('GET', '/v1/status', { key: world.numberKey.raw })
  t.is(world.keys.lookUps, 2)
})

test('a caller looked up while a rotation happens is not remembered', async (t) => {
  const world = new World()
  const callers = createCallerCache(world.deps())
  const caller: Caller = {
    id: newSecretId('key'),
    by: 'key',
    tenantId: world.tenantId,
    reach: { at: 'tenant' },
    permissions: 'all',
    limits: { requestsPerMinute: 1, sendsPerMinute: 1 },
  }
  let looks = 0
  await callers.recall('credential', async () => {
    looks++
    await callers.revoke(caller.id)
    return caller
  })
  await callers.recall('credential', async () => {
    looks++
    return null
  })
  t.is(looks, 2)
})

// [rest.rate-limits.4]
test('the 21st failed authentication of an address within a minute is 429, and valid keys go on working', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE; i++)
    t.is((await client.send('GET', '/v1/status', { key: generateApiKey() })).status, 401)
  const refused = await client.send('GET', '/v1/status', { key: generateApiKey() })
  t.is(refused.status, 429)
  t.deepEqual(Object.keys(refused.body), ['error'])
  t.is(refused.headers.get('ratelimit-limit'), String(FAILED_AUTH_PER_MINUTE))
  t.true(Number(refused.headers.get('retry-after')) >= 1)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
  t.is((await client.send('GET', '/v1/status')).status, 401, 'no key at all is no failed guess')
  world.clock.advance(60_000)
  t.is((await client.send('GET', '/v1/status', { key: generateApiKey() })).status, 401)
})

// [configuration.variables.18]
test('behind a trusted proxy failed authentications are counted by client, and nobody escapes by writing the header', async (t) => {
  const world = new World()
  const behind = await serve(t, world, { clientAddress: createClientAddress(['127.0.0.1']) })
  const guess = (forwardedFor: string) =>
    behind.send('GET', '/v1/status', { key: generateApiKey(), headers: { 'x-forwarded-for': forwardedFor } })
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE; i++) t.is((await guess(`198.51.100.${i}, 203.0.113.9`)).status, 401)
  t.is((await guess('198.51.100.99, 203.0.113.9')).status, 429)
  t.is((await guess('203.0.113.9, 203.0.113.10')).status, 401, 'another client')
  const direct = await serve(t, new World())
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE; i++)
    await direct.send('GET', '/v1/status', { key: generateApiKey(), headers: { 'x-forwarded-for': `203.0.113.${i}` } })
  t.is(
    (await direct.send('GET', '/v1/status', { key: generateApiKey(), headers: { 'x-forwarded-for': '203.0.113.200' } }))
      .status,
    429,
    'no proxy is trusted',
  )
})

// [rest.rate-limits.3] [rest.errors.20]
test('every answer to a key tells what is left, and beyond that 429 with the error alone', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 2
  const key = world.keys.issue(world.tenantId, null).raw
  const client = await serve(t, world)
  const first = await client.send('GET', '/v1/numbers', { key })
  t.is(first.headers.get('ratelimit-limit'), '2')
  t.is(first.headers.get('ratelimit-remaining'), '1')
  t.true(Number(first.headers.get('ratelimit-reset')) > 0)
  const refusal = await client.send('GET', '/v1/calls', { key })
  t.is(refusal.status, 403)
  t.is(refusal.headers.get('ratelimit-remaining'), '0')
  const over = await client.send('GET', '/v1/numbers', { key })
  t.is(over.status, 429)
  t.deepEqual(Object.keys(over.body), ['error'])
  t.is(over.headers.get('retry-after'), '30')
  t.is(over.headers.get('ratelimit-remaining'), '0')
  world.clock.advance(30_000)
  t.is((await client.send('GET', '/v1/numbers', { key })).status, 200)
})

// [keys.credentials.3] [rest.errors.12]
test('a number key may name its own number, and none else', async (t) => {
  const world = new World()
  const second = world.addNumber(world.tenantId, '5511900002222')
  const client = await serve(t, world)
  const named = (id: string) =>
    client.send('GET', '/v1/status', { key: world.numberKey.raw, headers: { 'x-channel-number-id': id } })
  t.is((await named(world.number.id)).status, 200)
  for (const id of [second.number.id, world.foreignNumber.id, 'num_x', "num_' or 1=1"]) {
    const reply = await named(id)
    t.is(reply.status, 404)
    t.is(reply.body.code, 'NUMBER_NOT_FOUND')
  }
})

// [rest.errors.11]
test('a number key that is bound to no number is 400 NUMBER_NOT_FOUND', async (t) => {
  const world = new World()
  world.keys.authenticateKey = async () => ({
    id: world.numberKey.id,
    by: 'key',
    tenantId: world.tenantId,
    reach: { at: 'nowhere' },
    permissions: 'all',
    limits: { requestsPerMinute: 10, sendsPerMinute: 10 },
  })
  const client = await serve(t, world)
  const reply = await client.send('GET', '/v1/status', { key: world.numberKey.raw })
  t.is(reply.status, 400)
  t.is(reply.body.code, 'NUMBER_NOT_FOUND')
})

import type { TestFn } from 'ava'
import { generateApiKey, isWellFormedApiKey } from '../../src/domain/api-key.ts'
import { newSecretId } from '../../src/domain/ids.ts'
import { newNumber, ownedNumber, type MakeWorld } from './world.ts'

/** What every KeyStore and TenantStore does. */
export function keyStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a tenant's key authenticates the tenant with the default limits`, async (t) => {
    const world = makeWorld()
    const raw = generateApiKey()
    const made = await world.stores.tenants.create('Default', raw)
    t.is(made.key, raw)
    t.like(await world.stores.keys.authenticateKey(raw), { tenantId: made.tenantId, scope: 'TENANT', numberId: null, requestsPerMinute: 600, sendsPerMinute: 1_200 })
    await world.setTenant(made.tenantId, { requestsPerMinute: 5 })
    t.like(await world.stores.keys.authenticateKey(raw), { requestsPerMinute: 5, sendsPerMinute: 1_200 })
    t.false(await world.stores.tenants.isEmpty())
    await t.throwsAsync(world.stores.tenants.create('Again', raw))
  })

  test(`${name}: unknown keys and key ids authenticate nobody`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.is(await world.stores.keys.authenticateKey(generateApiKey()), null)
    t.is(await world.stores.keys.authenticateKey(owned.key.id), null)
    t.is(await world.stores.keys.authenticateKeyId(newSecretId('key')), null)
    t.is(await world.stores.keys.authenticateKeyId(owned.key.raw), null)
    t.is(await world.stores.keys.authenticateKeyId('key_\0\ud800'), null)
  })

  test(`${name}: a key id alone authenticates what its key does`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    t.deepEqual(await world.stores.keys.authenticateKeyId(owned.key.id), await world.stores.keys.authenticateKey(owned.key.raw))
  })

  test(`${name}: the list shows one usable key for each number, and the table shows none`, async (t) => {
    const world = makeWorld()
    const { tenantId, key: tenantKey } = await world.stores.tenants.create('Listing')
    const made = []
    for (let i = 0; i < 2; i++) {
      const result = await world.stores.numbers.create(newNumber(tenantId, { name: `Number ${i}` }))
      if (result.ok) made.push(result.value)
      world.clock.advance(1)
    }
    t.deepEqual(await world.stores.keys.list(tenantId), made.map(({ number, key }) => ({
      numberId: number.id, number: number.number, displayName: number.name, keyId: key.id, keyLast4: key.last4, key: key.raw,
    })))
    const raw = await world.rawTable('api_keys')
    for (const { key } of made) {
      t.true(raw.includes(key.prefix))
      t.false(raw.includes(key.raw))
      t.false(raw.includes(key.id))
    }
    t.false(raw.includes(tenantKey))
  })

  test(`${name}: rotating a number's key refuses the old key and key id at once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    world.clock.advance(10)
    const issued = await world.stores.keys.rotateNumberKey(owned.tenantId, owned.number.id)
    t.like(issued, { tenantId: owned.tenantId, numberId: owned.number.id, scope: 'NUMBER', createdAt: new Date(world.clock.now()) })
    t.true(isWellFormedApiKey(issued?.raw ?? ''))
    t.is(await world.stores.keys.authenticateKey(owned.key.raw), null)
    t.is(await world.stores.keys.authenticateKeyId(owned.key.id), null)
    t.like(await world.stores.keys.authenticateKey(issued?.raw ?? ''), { keyId: issued?.id, numberId: owned.number.id })
    t.deepEqual((await world.stores.keys.list(owned.tenantId)).map(({ keyId, key }) => [keyId, key]), [[issued?.id, issued?.raw]])
  })

  test(`${name}: of many rotations of one own key at once a single one issues a key`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const issued = await Promise.all(Array.from({ length: 8 }, () => world.stores.keys.rotateOwnKey(owned.key.id)))
    const winners = issued.filter((key) => key !== null)
    t.is(winners.length, 1)
    t.like(await world.stores.keys.authenticateKey(winners[0]?.raw ?? ''), { keyId: winners[0]?.id, tenantId: owned.tenantId })
    t.is(await world.stores.keys.authenticateKey(owned.key.raw), null)
  })

  test(`${name}: a tenant's own key rotates too`, async (t) => {
    const world = makeWorld()
    const { key, tenantId } = await world.stores.tenants.create('Rotating')
    const caller = await world.stores.keys.authenticateKey(key)
    t.truthy(caller)
    const issued = caller && await world.stores.keys.rotateOwnKey(caller.keyId)
    t.like(issued, { tenantId, numberId: null, scope: 'TENANT' })
    t.is(await world.stores.keys.authenticateKey(key), null)
    t.like(await world.stores.keys.authenticateKey(issued?.raw ?? ''), { scope: 'TENANT', tenantId })
  })
}

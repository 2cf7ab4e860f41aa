import type { TestFn } from 'ava'
import { generateApiKey, isWellFormedApiKey } from '../../src/domain/api-key.ts'
import type { AnswersOwner } from '../../src/domain/caller.ts'
import { newId, newSecretId } from '../../src/domain/ids.ts'
import { REGENERATED_REPEAT_MS } from '../../src/domain/limits.ts'
import type { RegenerationClaim } from '../../src/ports/stores/key-store.ts'
import { newNumber, ownedNumber, type MakeWorld } from './world.ts'

/** What every KeyStore and TenantStore does. */
export function keyStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [rest.rate-limits.2]
  test(`${name}: a tenant's key authenticates the tenant with the default limits`, async (t) => {
    const world = makeWorld()
    const raw = generateApiKey()
    const made = await world.stores.tenants.create('Default', raw)
    t.is(made.key, raw)
    t.like(await world.stores.keys.authenticateKey(raw), {
      tenantId: made.tenantId,
      by: 'key',
      reach: { at: 'tenant' },
      permissions: 'all',
      limits: { requestsPerMinute: 600, sendsPerMinute: 1_200 },
    })
    await world.setTenant(made.tenantId, { requestsPerMinute: 5 })
    t.like(await world.stores.keys.authenticateKey(raw), { limits: { requestsPerMinute: 5, sendsPerMinute: 1_200 } })
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
    t.deepEqual(
      await world.stores.keys.authenticateKeyId(owned.key.id),
      await world.stores.keys.authenticateKey(owned.key.raw),
    )
  })

  // [keys.form.4] [keys.routes.7]
  test(`${name}: the list shows one usable key for each number`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await world.stores.tenants.create('Listing')
    const made = []
    for (let i = 0; i < 2; i++) {
      const result = await world.stores.numbers.create(newNumber(tenantId, { name: `Number ${i}` }))
      if (result.ok) made.push(result.value)
      world.clock.advance(1)
    }
    t.deepEqual(
      await world.stores.keys.list(tenantId),
      made.map(({ number, key }) => ({
        numberId: number.id,
        number: number.number,
        displayName: number.name,
        keyId: key.id,
        keyLast4: key.last4,
        key: key.raw,
      })),
    )
  })

  // [dashboard.routes.4]
  test(`${name}: the key of a tenant is told by its id, its last characters and its age, and is another one once it is rotated`, async (t) => {
    const world = makeWorld()
    const { tenantId, key } = await world.stores.tenants.create('Keyed')
    await world.stores.numbers.create(newNumber(tenantId))
    const before = await world.stores.keys.tenantKey(tenantId)
    t.like(before, { last4: key.slice(-4), createdAt: new Date(world.clock.now()) })
    t.is((await world.stores.keys.authenticateKeyId(before?.id ?? ''))?.tenantId, tenantId)
    world.clock.advance(1_000)
    const issued = await world.stores.keys.rotateTenantKey(tenantId)
    t.deepEqual(await world.stores.keys.tenantKey(tenantId), {
      id: issued?.id ?? 'key_',
      last4: issued?.last4 ?? '',
      createdAt: new Date(world.clock.now()),
    })
    t.is(await world.stores.keys.tenantKey(newId('ten')), null)
  })

  // [keys.routes.7]
  test(`${name}: rotating a number's key refuses the old key and key id at once`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    world.clock.advance(10)
    const issued = await world.stores.keys.rotateNumberKey(owned.tenantId, owned.number.id)
    t.like(issued, {
      tenantId: owned.tenantId,
      numberId: owned.number.id,
      scope: 'NUMBER',
      createdAt: new Date(world.clock.now()),
    })
    t.true(isWellFormedApiKey(issued?.raw ?? ''))
    t.is(await world.stores.keys.authenticateKey(owned.key.raw), null)
    t.is(await world.stores.keys.authenticateKeyId(owned.key.id), null)
    t.like(await world.stores.keys.authenticateKey(issued?.raw ?? ''), {
      id: issued?.id,
      reach: { at: 'number', number: { id: owned.number.id } },
    })
    t.deepEqual(
      (await world.stores.keys.list(owned.tenantId)).map(({ keyId, key }) => [keyId, key]),
      [[issued?.id, issued?.raw]],
    )
  })

  test(`${name}: of many rotations of one own key at once a single one issues a key`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const issued = await Promise.all(
      Array.from({ length: 8 }, () => world.stores.keys.rotateOwnKey(owned.key.id, null)),
    )
    const winners = issued.filter((one) => one.kind === 'rotated')
    t.is(winners.length, 1)
    t.like(await world.stores.keys.authenticateKey(winners[0]?.key.raw ?? ''), {
      id: winners[0]?.key.id,
      tenantId: owned.tenantId,
    })
    t.is(await world.stores.keys.authenticateKey(owned.key.raw), null)
  })

  test(`${name}: a tenant's own key rotates too`, async (t) => {
    const world = makeWorld()
    const { key, tenantId } = await world.stores.tenants.create('Rotating')
    const caller = await world.stores.keys.authenticateKey(key)
    t.truthy(caller)
    const issued = caller && (await world.stores.keys.rotateOwnKey(caller.id, null))
    if (issued?.kind !== 'rotated') return t.fail('not rotated')
    t.like(issued.key, { tenantId, numberId: null, scope: 'TENANT' })
    t.is(await world.stores.keys.authenticateKey(key), null)
    t.like(await world.stores.keys.authenticateKey(issued.key.raw), { reach: { at: 'tenant' }, tenantId })
  })

  test(`${name}: tenants are listed with how many numbers they have`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await world.stores.tenants.create('Listed')
    await world.stores.numbers.create(newNumber(tenantId))
    const listed = await world.stores.tenants.list()
    t.deepEqual(
      listed.find((tenant) => tenant.tenantId === tenantId),
      { tenantId, name: 'Listed', createdAt: new Date(world.clock.now()).toISOString(), numbers: 1 },
    )
  })

  test(`${name}: the key of a tenant is replaced by an operator, and only that`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const issued = await world.stores.keys.rotateTenantKey(owned.tenantId)
    t.like(issued, { tenantId: owned.tenantId, numberId: null, scope: 'TENANT' })
    t.like(await world.stores.keys.authenticateKey(issued?.raw ?? ''), {
      reach: { at: 'tenant' },
      tenantId: owned.tenantId,
    })
    t.truthy(await world.stores.keys.authenticateKey(owned.key.raw))
    t.is(await world.stores.keys.rotateTenantKey(newId('ten')), null)
  })

  const regenerationOf = (ownerId: AnswersOwner, key = 'lost'): RegenerationClaim => ({
    request: { ownerId, key, fingerprint: 'f1' },
    answer: ({ raw }) => ({ status: 201, body: JSON.stringify({ key: raw }) }),
  })

  test(`${name}: a key that replaced itself is known for 10 minutes by its Idempotency-Key, and until the next rotation`, async (t) => {
    const world = makeWorld()
    const { keys, idempotency } = world.stores
    const owned = await ownedNumber(world)
    const claim = regenerationOf(owned.number.id)
    const first = await keys.rotateOwnKey(owned.key.id, claim)
    if (first.kind !== 'rotated') return t.fail('not rotated')
    t.deepEqual(await idempotency.find(claim.request), {
      kind: 'replay',
      answer: { status: 201, body: JSON.stringify({ key: first.key.raw }) },
    })
    for (const sent of [{ raw: owned.key.raw }, { keyId: owned.key.id }]) {
      t.like(await keys.findRegenerated(sent, 'lost'), {
        id: first.key.id,
        reach: { at: 'number', number: { id: owned.number.id } },
      })
      t.is(await keys.findRegenerated(sent, 'other'), null)
    }
    t.is(await keys.findRegenerated({ raw: first.key.raw }, 'lost'), null)
    t.is(await keys.authenticateKey(owned.key.raw), null)
    world.clock.advance(REGENERATED_REPEAT_MS - 1)
    t.truthy(await keys.findRegenerated({ raw: owned.key.raw }, 'lost'))
    world.clock.advance(1)
    t.is(await keys.findRegenerated({ raw: owned.key.raw }, 'lost'), null)
    const second = await keys.rotateOwnKey(first.key.id, regenerationOf(owned.number.id, 'second'))
    t.is(second.kind, 'rotated')
    t.truthy(await keys.findRegenerated({ raw: first.key.raw }, 'second'))
    await keys.rotateNumberKey(owned.tenantId, owned.number.id)
    t.is(await keys.findRegenerated({ raw: first.key.raw }, 'second'), null)
  })

  test(`${name}: a regeneration whose Idempotency-Key was used before rotates nothing`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const claim = regenerationOf(owned.number.id)
    const first = await world.stores.keys.rotateOwnKey(owned.key.id, claim)
    if (first.kind !== 'rotated') return t.fail('not rotated')
    t.like(await world.stores.keys.rotateOwnKey(first.key.id, claim), {
      kind: 'replay',
      answer: { body: JSON.stringify({ key: first.key.raw }) },
    })
    t.deepEqual(
      await world.stores.keys.rotateOwnKey(first.key.id, {
        ...claim,
        request: { ...claim.request, fingerprint: 'f2' },
      }),
      { kind: 'reused' },
    )
    t.truthy(await world.stores.keys.authenticateKey(first.key.raw))
  })
}

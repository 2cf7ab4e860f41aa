import type { TestFn } from 'ava'
import { randomBytes, randomInt } from 'node:crypto'
import { newId, type NumberId, type TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { OfficialHealth } from '../../src/ports/official/health.ts'
import type { NewOfficialNumber } from '../../src/ports/stores/official-store.ts'
import { callEvent, eventNames, randomDigits, type MakeWorld, type World } from './world.ts'

const HEALTH: OfficialHealth = {
  number: '15550001111',
  qualityRating: 'GREEN',
  messagingLimitTier: 'TIER_2K',
  officialStatus: 'CONNECTED',
  perSecond: 80,
}

export function randomId(): string {
  return `1${randomInt(10 ** 9, 10 ** 10)}`
}

export function newOfficial(
  tenantId: TenantId,
  credentials: Partial<NewOfficialNumber['credentials']> = {},
  fields: Partial<NewOfficialNumber> = {},
): NewOfficialNumber {
  return {
    id: newId('num'),
    tenantId,
    name: 'Front desk',
    number: randomDigits(),
    settings: DEFAULT_SETTINGS,
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
    credentials: {
      phoneId: randomId(),
      accountId: randomId(),
      accessToken: 'EAA-secret-token',
      appId: '77',
      appSecret: 'app-secret',
      ...credentials,
    },
    verifyToken: 'verify-me',
    health: HEALTH,
    ...fields,
  }
}

export async function newTenant(world: World): Promise<TenantId> {
  const { tenantId } = await world.stores.tenants.create(`Tenant ${randomBytes(4).toString('hex')}`)
  return tenantId
}

export async function officialNumber(world: Pick<World, 'stores'>, wanted: NewOfficialNumber) {
  const made = await world.stores.official.create(wanted)
  if (!made.ok) throw new Error(made.error.message)
  return made.value
}

/** What every OfficialStore does. */
export function officialStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a new OFFICIAL number shows its facts and has its key`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const tenantId = await newTenant(world)
    const wanted = newOfficial(tenantId)
    const { number, key } = await officialNumber(world, wanted)
    t.like(number, { id: wanted.id, provider: 'OFFICIAL', state: 'CLOSE', number: wanted.number })
    t.deepEqual(number.official, {
      phoneId: wanted.credentials.phoneId,
      accountId: wanted.credentials.accountId,
      appId: '77',
      callingStatus: 'NOT_ENABLED',
      qualityRating: 'GREEN',
      messagingLimitTier: 'TIER_2K',
      officialStatus: 'CONNECTED',
      perSecond: 80,
      checkedAt: new Date(Date.UTC(2026, 0, 1)),
      isTokenValid: true,
    })
    t.deepEqual(await world.stores.numbers.find(tenantId, wanted.id), number)
    t.deepEqual(await world.stores.official.findByPhone(wanted.credentials.phoneId), number)
    t.deepEqual(await world.stores.official.credentials(tenantId, wanted.id), wanted.credentials)
    t.like(await world.stores.keys.authenticateKey(key.raw), {
      reach: { at: 'number', number: { id: wanted.id, provider: 'OFFICIAL' } },
    })
    t.true(number.isPaired, 'it wants a session when a node starts')
    t.deepEqual(JSON.parse((await world.stores.numbers.credentials(wanted.id)).credentials ?? ''), wanted.credentials)
  })

  test(`${name}: a phone id is connected once in the installation, also at once, and a refused number leaves nothing`, async (t) => {
    const world = makeWorld()
    const tenants = [await newTenant(world), await newTenant(world), await newTenant(world)]
    const phoneId = randomId()
    const results = await Promise.all(
      tenants.map((tenantId) => world.stores.official.create(newOfficial(tenantId, { phoneId }))),
    )
    t.is(results.filter(({ ok }) => ok).length, 1)
    t.true(results.every((result) => result.ok || result.error.code === 'NUMBER_ALREADY_EXISTS'))
    for (const [index, result] of results.entries()) {
      const tenantId = tenants[index]
      if (result.ok || !tenantId) continue
      t.deepEqual(await world.stores.numbers.list(tenantId), [])
      t.deepEqual(await world.stores.keys.list(tenantId), [])
    }
  })

  test(`${name}: digits that the tenant has, and a number beyond its plan, are refused`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const { number } = await officialNumber(world, newOfficial(tenantId))
    const twice = await world.stores.official.create(newOfficial(tenantId, {}, { number: number.number }))
    t.is(twice.ok ? null : twice.error.code, 'NUMBER_ALREADY_EXISTS')
    await world.setTenant(tenantId, { maxNumbers: 1 })
    const beyond = await world.stores.official.create(newOfficial(tenantId))
    t.is(beyond.ok ? null : beyond.error.code, 'NUMBER_LIMIT_EXCEEDED')
  })

  test(`${name}: credentials are replaced in part, sealed, two changes at once each in turn`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const tenantId = await newTenant(world)
    const { number } = await officialNumber(world, newOfficial(tenantId))
    const before = await world.stores.official.credentials(tenantId, number.id)
    await world.stores.official.save(tenantId, number.id, { isTokenValid: false })
    world.clock.advance(1_000)
    const health = { ...HEALTH, qualityRating: 'RED' }
    const changes = [{ accessToken: 'EAA-other-token' }, { appSecret: 'other-secret' }, { appId: '78' }]
    await Promise.all(
      changes.map((change) => world.stores.official.replaceCredentials(tenantId, number.id, change, health)),
    )
    t.deepEqual(await world.stores.official.credentials(tenantId, number.id), {
      ...before,
      accessToken: 'EAA-other-token',
      appSecret: 'other-secret',
      appId: '78',
    })
    t.deepEqual(
      JSON.parse((await world.stores.numbers.credentials(number.id)).credentials ?? ''),
      await world.stores.official.credentials(tenantId, number.id),
    )
    t.like(await world.stores.numbers.find(tenantId, number.id), {
      official: {
        appId: '78',
        isTokenValid: true,
        qualityRating: 'RED',
        checkedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 1)),
      },
    })
    t.is((await world.stores.inbound.findTarget(number.id))?.appSecret, 'other-secret')
    t.is(
      await world.stores.official.replaceCredentials(
        await newTenant(world),
        number.id,
        { appSecret: 'stolen' },
        HEALTH,
      ),
      null,
    )
    t.is((await world.stores.official.credentials(tenantId, number.id))?.appSecret, 'other-secret')
  })

  test(`${name}: a number that its owner opens and that is opened for it is told of once, whoever comes first`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const openedByOwner = async (numberId: NumberId) => {
      const fence = await world.leases().acquire(numberId)
      if (!fence) throw new Error('the number could not be leased')
      return () =>
        world.stores.numbers.saveConnection(fence, { state: 'OPEN', isFullyConnected: true }, [
          callEvent('number.connected'),
        ])
    }
    const openedForIt = (numberId: NumberId) => () => world.stores.official.opened(tenantId, numberId)
    const orders: ((one: () => Promise<unknown>, other: () => Promise<unknown>) => Promise<unknown>)[] = [
      async (one, other) => [await one(), await other()],
      async (one, other) => [await other(), await one()],
      ...Array.from(
        { length: 10 },
        () => (one: () => Promise<unknown>, other: () => Promise<unknown>) => Promise.all([one(), other()]),
      ),
    ]
    for (const inOrder of orders) {
      const { number } = await officialNumber(world, newOfficial(tenantId))
      await inOrder(await openedByOwner(number.id), openedForIt(number.id))
      t.like(await world.stores.numbers.load(number.id), { state: 'OPEN', isFullyConnected: true })
      t.deepEqual(await eventNames(world, tenantId, number.id), ['number.connected'])
    }
  })

  test(`${name}: a number is opened once, with number.connected`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const { number } = await officialNumber(world, newOfficial(tenantId))
    t.like(await world.stores.official.opened(tenantId, number.id), { state: 'OPEN', isFullyConnected: true })
    t.like(await world.stores.official.opened(tenantId, number.id), { state: 'OPEN' })
    t.deepEqual(await eventNames(world, tenantId, number.id), ['number.connected'])
    t.is(await world.stores.official.opened(await newTenant(world), number.id), null)
  })

  // [message-verbs.pace.8]
  test(`${name}: limits of an account are stored for the tenant's numbers, and those that are held and changed are named`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const accountId = randomId()
    const own = await Promise.all(
      [1, 2, 3].map(async () => (await officialNumber(world, newOfficial(tenantId, { accountId }))).number),
    )
    const foreign = (await officialNumber(world, newOfficial(await newTenant(world), { accountId }))).number
    for (const number of [own[0], own[1], foreign]) if (number) await world.leases().acquire(number.id)
    const limitsOf = (number: (typeof own)[number] | undefined, tier: string | null, perSecond: number | null) => ({
      phoneId: number?.official?.phoneId ?? '',
      messagingLimitTier: tier,
      perSecond,
    })
    const read = [limitsOf(own[0], 'TIER_10K', 1_000), limitsOf(own[1], 'TIER_2K', 80), limitsOf(own[2], null, null)]
    const told = await world.stores.official.saveLimits(tenantId, accountId, [
      ...read,
      limitsOf(foreign, 'TIER_50', 20),
    ])
    t.deepEqual(told, [own[0]?.id] as typeof told)
    const factsOf = async (number: (typeof own)[number] | undefined) =>
      number && (await world.stores.numbers.load(number.id))?.official
    t.like(await factsOf(own[0]), { messagingLimitTier: 'TIER_10K', perSecond: 1_000, qualityRating: 'GREEN' })
    t.like(await factsOf(own[2]), { messagingLimitTier: null, perSecond: null })
    t.like(await factsOf(foreign), { messagingLimitTier: 'TIER_2K', perSecond: 80 })
    t.deepEqual(await world.stores.official.saveLimits(tenantId, accountId, read), [])
  })

  test(`${name}: facts that become known are kept, and only for the tenant's own OFFICIAL numbers`, async (t) => {
    const world = makeWorld()
    const [tenantId, stranger] = [await newTenant(world), await newTenant(world)]
    const { number } = await officialNumber(world, newOfficial(tenantId))
    const { official } = world.stores
    t.is(await official.save(stranger, number.id, { isTokenValid: false }), null)
    t.is(await official.credentials(stranger, number.id), null)
    const changed = await official.save(tenantId, number.id, {
      health: { ...HEALTH, messagingLimitTier: 'TIER_10K', qualityRating: null },
      isTokenValid: false,
      callingStatus: 'ENABLED',
    })
    t.like(changed?.official, {
      messagingLimitTier: 'TIER_10K',
      qualityRating: null,
      isTokenValid: false,
      callingStatus: 'ENABLED',
    })
    const sessionHealth = { level: 'restricted', code: 'account_restricted', text: 'why' } as const
    t.deepEqual((await official.save(tenantId, number.id, { sessionHealth }))?.sessionHealth, sessionHealth)
    t.deepEqual((await official.save(tenantId, number.id, { isTokenValid: false }))?.sessionHealth, sessionHealth)
    t.is((await official.save(tenantId, number.id, { sessionHealth: null }))?.sessionHealth, null)
    const calmed = await official.save(tenantId, number.id, { isTokenValid: true })
    t.like(calmed?.official, { messagingLimitTier: 'TIER_10K', isTokenValid: true, callingStatus: 'ENABLED' })
    const plain = await world.stores.numbers.create({ ...newOfficial(tenantId), provider: 'UNOFFICIAL' })
    if (!plain.ok) return t.fail(plain.error.message)
    t.is(await official.save(tenantId, plain.value.number.id, { callingStatus: 'ENABLED' }), null)
    t.is(plain.value.number.official, undefined)
  })

  test(`${name}: tries to enable calling come due once, and sooner when hastened`, async (t) => {
    const world = makeWorld(Date.UTC(2030, randomInt(12), randomInt(28)))
    const tenantId = await newTenant(world)
    const accountId = randomId()
    const { number } = await officialNumber(world, newOfficial(tenantId, { accountId }))
    const { official } = world.stores
    const taken = async () =>
      (await official.takeDueCalling(1_000, 60_000)).filter(({ numberId }) => numberId === number.id)
    t.deepEqual(await taken(), [], 'nothing waits of itself')
    await official.save(tenantId, number.id, { callingStatus: 'PENDING_TIER', callingRetry: { tries: 2, inMs: 5_000 } })
    t.deepEqual(await taken(), [])
    t.is(await official.hastenCalling(await newTenant(world), accountId), 0)
    t.is(await official.hastenCalling(tenantId, accountId), 1)
    const both = (await Promise.all([taken(), taken()])).flat()
    t.is(both.length, 1)
    t.like(both[0], { tenantId, callingStatus: 'PENDING_TIER', tries: 2, verifyToken: 'verify-me' })
    t.is(both[0]?.credentials.accessToken, 'EAA-secret-token')
    world.clock.advance(60_000)
    t.is((await taken()).length, 1, 'a node that died with it leaves it to the next')
    await official.save(tenantId, number.id, { callingStatus: 'ENABLED', callingRetry: null })
    world.clock.advance(600_000)
    t.deepEqual(await taken(), [])
  })
}

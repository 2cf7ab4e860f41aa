import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { newOfficial, newTenant, officialNumber, randomId } from './official-store.ts'
import type { MakeWorld, World } from './world.ts'

const LEASE_MS = 60_000
const DAY_MS = 86_400_000

/** A number of an account of its own; `accountId` and `tenantId` make it one of a known account. */
async function numberOf(world: World, tenantId?: Awaited<ReturnType<typeof newTenant>>, accountId = randomId()) {
  const of = tenantId ?? (await newTenant(world))
  const { number } = await officialNumber(world, newOfficial(of, { accountId }))
  return { number, account: { tenantId: of, accountId } }
}

/** What every MarketingStore does. */
export function marketingStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [message-verbs.delivery.2] [message-verbs.delivery.4]
  test(`${name}: a new account is not let in and asked for at once; another number of it knows what was answered`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { number, account } = await numberOf(world)
    const { marketing } = world.stores
    const fresh = { account, way: 'auto', isOpen: false, askAt: null } as const
    t.deepEqual(await marketing.read(number.id), fresh)
    const lease = await marketing.take(account, LEASE_MS)
    t.deepEqual(lease, new Date(Date.UTC(2026, 0, 1, 0, 1)))
    if (lease) await marketing.answered(account, lease, true, DAY_MS)
    const answered = { ...fresh, isOpen: true, askAt: new Date(Date.UTC(2026, 0, 2)) }
    t.deepEqual(await marketing.read(number.id), answered)
    const other = await numberOf(world, account.tenantId, account.accountId)
    t.deepEqual(await marketing.read(other.number.id), answered)
    const stranger = await numberOf(world, undefined, account.accountId)
    t.deepEqual(await marketing.read(stranger.number.id), { ...fresh, account: stranger.account }, 'of another tenant')
    t.is(await marketing.read(newId('num')), null)
  })

  // [message-verbs.delivery.4]
  test(`${name}: the question has one taker, until its lease is over or its answer is due again`, async (t) => {
    const world = makeWorld()
    const { account } = await numberOf(world)
    const { marketing } = world.stores
    const takers = await Promise.all([1, 2, 3].map(() => marketing.take(account, LEASE_MS)))
    t.is(takers.filter((lease) => lease !== null).length, 1)
    world.clock.advance(LEASE_MS - 1)
    t.is(await marketing.take(account, LEASE_MS), null)
    world.clock.advance(1)
    const lease = await marketing.take(account, LEASE_MS)
    t.truthy(lease, 'what a killed node left is asked again')
    if (lease) await marketing.answered(account, lease, false, DAY_MS)
    world.clock.advance(DAY_MS - 1)
    t.is(await marketing.take(account, LEASE_MS), null)
    world.clock.advance(1)
    t.truthy(await marketing.take(account, LEASE_MS))
  })

  // [message-verbs.delivery.6]
  test(`${name}: an account that is to be asked anew is due at once, and an answer under way counts for nothing`, async (t) => {
    const world = makeWorld()
    const { number, account } = await numberOf(world)
    const { marketing } = world.stores
    const early = await marketing.take(account, LEASE_MS)
    await marketing.askAnew({ ...account, tenantId: (await numberOf(world)).account.tenantId })
    t.truthy((await marketing.read(number.id))?.askAt, 'another tenant moves nothing')
    await marketing.askAnew(account)
    if (early) await marketing.answered(account, early, false, DAY_MS)
    t.like(await marketing.read(number.id), { isOpen: false, askAt: null })
    const lease = await marketing.take(account, LEASE_MS)
    if (lease) await marketing.answered(account, lease, true, DAY_MS)
    t.like(await marketing.read(number.id), { isOpen: true })
  })

  // [message-verbs.delivery.5]
  test(`${name}: an account that was refused stays out until its next question`, async (t) => {
    const world = makeWorld()
    const { number, account } = await numberOf(world)
    const { marketing } = world.stores
    const lease = await marketing.take(account, LEASE_MS)
    if (lease) await marketing.answered(account, lease, true, DAY_MS)
    const before = await marketing.read(number.id)
    await marketing.shut(account)
    t.deepEqual(await marketing.read(number.id), before && { ...before, isOpen: false })
    t.is(await marketing.take(account, LEASE_MS), null)
  })

  // [message-verbs.delivery.2]
  test(`${name}: the way that was chosen for a number is kept, shown with it, and is its alone`, async (t) => {
    const world = makeWorld()
    const { number, account } = await numberOf(world)
    const other = await numberOf(world, account.tenantId, account.accountId)
    const changed = await world.stores.numbers.patch(account.tenantId, number.id, { marketing: 'messages' })
    t.is(changed?.marketing, 'messages')
    t.is((await world.stores.numbers.find(account.tenantId, number.id))?.marketing, 'messages')
    t.is((await world.stores.marketing.read(number.id))?.way, 'messages')
    t.is((await world.stores.marketing.read(other.number.id))?.way, 'auto')
    await world.stores.numbers.patch(account.tenantId, number.id, { marketing: 'auto' })
    t.is((await world.stores.marketing.read(number.id))?.way, 'auto')
  })
}

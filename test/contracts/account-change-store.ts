import type { TestFn } from 'ava'
import type { AccountLane } from '../../src/ports/stores/account-change-store.ts'
import type { OfficialChange } from '../../src/ports/official/changes.ts'
import type { InboundTarget } from '../../src/ports/stores/inbound-store.ts'
import { newOfficial, newTenant, officialNumber, randomId } from './official-store.ts'
import { storedEvents, type MakeWorld, type World } from './world.ts'

const LEASE_MS = 60_000
let lastKey = 0

export function accountChange(target: InboundTarget, n: number, fields: Partial<OfficialChange> = {}): OfficialChange {
  const value = `{"n":${n}}`
  return {
    object: 'whatsapp_business_account',
    accountId: target.accountId,
    field: 'business_capability_update',
    phoneId: null,
    at: null,
    value,
    envelope: `{"object":"whatsapp_business_account","entry":[{"id":"${target.accountId}","changes":[{"field":"business_capability_update","value":${value}}]}]}`,
    key: `account ${++lastKey}`,
    ...fields,
  }
}

/** Makes a tenant with an account of this many numbers. */
export async function account(world: World, numbers = 1) {
  const tenantId = await newTenant(world)
  const accountId = randomId()
  await world.setTenant(tenantId, { maxNumbers: numbers })
  const made = []
  for (let i = 0; i < numbers; i++)
    made.push((await officialNumber(world, newOfficial(tenantId, { accountId }))).number)
  const target = await world.stores.inbound.findTarget(accountId)
  if (!target) throw new Error('the account cannot receive')
  return { tenantId, accountId, target, numbers: made }
}

function numbersIn(lane: AccountLane | null): number[] {
  return lane?.changes.map(({ value }) => (JSON.parse(value) as { n: number }).n) ?? []
}

async function settleAll({ stores }: World, lane: AccountLane | null): Promise<void> {
  for (const { position } of lane?.changes ?? []) await stores.accountChanges.settle(position)
}

/**
 * What every AccountChangeStore does. It takes changes of the whole database, so these tests run one after another and
 * leave nothing behind.
 */
export function accountChangeStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test.serial(
    `${name}: a change of an account with 40 numbers waits once, and is an event of each number`,
    async (t) => {
      const world = makeWorld(Date.UTC(2026, 0, 1))
      const { tenantId, accountId, target, numbers } = await account(world, 40)
      const change = accountChange(target, 1, { at: new Date(Date.UTC(2025, 11, 31)) })
      t.deepEqual(await world.stores.inbound.accept(target, [change]), {
        stored: 40,
        numbers: [],
        accounts: [accountId],
      })
      t.deepEqual(await world.stores.inbound.accept(target, [change]), { stored: 0, numbers: [], accounts: [] })
      const waiting = await world.stores.inbound.listPending(1_000)
      t.false(
        numbers.some(({ id }) => waiting.includes(id)),
        'it waits for no number',
      )
      const told = await Promise.all(
        numbers.map(({ id }) => storedEvents(world.stores.events, { tenantId, numberId: id })),
      )
      for (const events of told)
        t.deepEqual(
          events.flatMap(({ upstreamBody }) => upstreamBody ?? []),
          [change.envelope],
        )
      const lane = await world.stores.accountChanges.take(10, LEASE_MS)
      t.like(lane, { tenantId, accountId })
      t.deepEqual(
        lane?.changes.map(({ field, value, at, receivedAt }) => ({ field, value, at, receivedAt })),
        [{ field: change.field, value: change.value, at: change.at, receivedAt: new Date(Date.UTC(2026, 0, 1)) }],
      )
      await settleAll(world, lane)
      t.is(await world.stores.accountChanges.take(10, LEASE_MS), null)
      t.deepEqual(
        await world.stores.inbound.accept(target, [change]),
        { stored: 0, numbers: [], accounts: [] },
        'what is worked off is still known',
      )
      t.is(await world.rawTable('account_changes'), '[]')
    },
  )

  test.serial(
    `${name}: an account has one taker at a time, oldest changes first, and what comes meanwhile waits behind them`,
    async (t) => {
      const world = makeWorld()
      const { target } = await account(world)
      const { accountChanges, inbound } = world.stores
      await inbound.accept(
        target,
        [1, 2, 3].map((n) => accountChange(target, n)),
      )
      const first = await accountChanges.take(2, LEASE_MS)
      t.deepEqual(numbersIn(first), [1, 2])
      await inbound.accept(target, [accountChange(target, 4)])
      t.is(await accountChanges.take(2, LEASE_MS), null)
      await accountChanges.settle(first?.changes[0]?.position ?? 0)
      t.is(await accountChanges.take(2, LEASE_MS), null, 'its second change is still worked on')
      await settleAll(world, first)
      const second = await accountChanges.take(10, LEASE_MS)
      t.deepEqual(numbersIn(second), [3, 4])
      await settleAll(world, second)
    },
  )

  test.serial(`${name}: many takers at once share the accounts out`, async (t) => {
    const world = makeWorld()
    const accounts = await Promise.all([1, 2, 3].map(() => account(world)))
    for (const { target } of accounts)
      await world.stores.inbound.accept(
        target,
        [1, 2].map((n) => accountChange(target, n)),
      )
    const lanes = (
      await Promise.all(Array.from({ length: 8 }, () => world.stores.accountChanges.take(10, LEASE_MS)))
    ).filter((lane) => lane !== null)
    // A taker skips a row that another taker holds.
    while (lanes.length < 3)
      lanes.push((await world.stores.accountChanges.take(10, LEASE_MS)) ?? (t.fail('an account is left out') as never))
    t.deepEqual(
      lanes.map(({ accountId }) => accountId).toSorted(),
      accounts.map(({ accountId }) => accountId).toSorted(),
    )
    for (const lane of lanes) t.deepEqual(numbersIn(lane), [1, 2])
    for (const lane of lanes) await settleAll(world, lane)
  })

  test.serial(
    `${name}: changes that a killed taker left are taken again after its lease, together with newer ones`,
    async (t) => {
      const world = makeWorld()
      const { target } = await account(world)
      const { accountChanges, inbound } = world.stores
      await inbound.accept(target, [accountChange(target, 1), accountChange(target, 2)])
      const killed = await accountChanges.take(10, LEASE_MS)
      await accountChanges.settle(killed?.changes[0]?.position ?? 0)
      await inbound.accept(target, [accountChange(target, 3)])
      world.clock.advance(LEASE_MS - 1)
      t.is(await accountChanges.take(10, LEASE_MS), null)
      world.clock.advance(1)
      const next = await accountChanges.take(10, LEASE_MS)
      t.deepEqual(numbersIn(next), [2, 3])
      await settleAll(world, next)
      await settleAll(world, killed)
      t.is(await accountChanges.take(10, LEASE_MS), null)
    },
  )

  test.serial(
    `${name}: a change waits only in the tenant whose webhook got it, and only if that tenant has a number of the account`,
    async (t) => {
      const world = makeWorld()
      const mine = await account(world)
      const theirs = await account(world)
      const forged = accountChange(theirs.target, 1)
      t.deepEqual((await world.stores.inbound.accept(mine.target, [forged])).numbers, [])
      t.is(await world.stores.accountChanges.take(10, LEASE_MS), null)
      const ofPhone = accountChange(mine.target, 2, { field: 'phone_number_quality_update', phoneId: '7' })
      t.deepEqual(
        await world.stores.inbound.accept(mine.target, [ofPhone]),
        { stored: 1, numbers: [], accounts: [mine.accountId] },
        'the phone may be one that is not connected',
      )
      const lane = await world.stores.accountChanges.take(10, LEASE_MS)
      t.like(lane, { tenantId: mine.tenantId, accountId: mine.accountId })
      await settleAll(world, lane)
    },
  )
}

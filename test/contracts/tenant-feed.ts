import type { TestFn } from 'ava'
import type { TenantId } from '../../src/domain/ids.ts'
import type { LookedFor } from '../../src/ports/stores/tenant-feed-store.ts'
import type { EventPlace } from '../../src/ports/tenant-feed.ts'
import type { Stores } from '../../src/storage/stores.ts'
import { until } from '../helpers/until.ts'
import { callEvent, newCall, ownedNumber, secondNumber, type Owned, type World } from './world.ts'

type FeedWorld = World & { readonly stores: Pick<Stores, 'tenantFeedReads'> }

/** What feeds of accounts read of rows. */
export function tenantFeedSuite(test: TestFn, name: string, makeWorld: () => FeedWorld): void {
  async function tell(world: FeedWorld, owned: Owned, marks: readonly number[]): Promise<void> {
    for (const mark of marks)
      await world.stores.calls.insert(owned.fence, newCall(owned), [callEvent('call.ended', { mark })])
  }

  const marks = (found: LookedFor['events'], { tenantId }: Owned) =>
    (found.get(tenantId) ?? []).map(({ event }) => event.data['mark'])

  /**
   * Looks until accounts have so many told events behind their places. Transactions of others may be under way: then
   * what is told shows late, and so does what made the numbers.
   */
  async function lookUntil(
    { stores }: FeedWorld,
    after: ReadonlyMap<TenantId, EventPlace | null>,
    count: number,
    most: number = 100,
  ): Promise<LookedFor> {
    let found = await stores.tenantFeedReads.look(after, most)
    await until('the events are there', async () => {
      found = await stores.tenantFeedReads.look(after, most)
      const told = [...found.events.values()].flat().filter(({ event }) => event.event === 'call.ended')
      return told.length === count
    })
    return found
  }

  test(`${name}: a look gives each account the events behind its place, in order, and the place of the next`, async (t) => {
    const world = makeWorld()
    const reads = world.stores.tenantFeedReads
    const [one, other] = [await ownedNumber(world), await ownedNumber(world)]
    const nowhere = new Map([
      [one.tenantId, null],
      [other.tenantId, null],
    ])
    const begun = await reads.look(nowhere, 100)
    await tell(world, one, [0])
    t.is((await reads.look(nowhere, 100)).events.size, 0, 'an account without a place is given none')
    const after = new Map([...nowhere.keys()].map((id) => [id, begun.horizon]))
    // The event may show late, while older transactions of others are under way: what follows begins behind it.
    const known = (await lookUntil(world, after, 1)).horizon
    const places = new Map([...nowhere.keys()].map((id) => [id, known]))
    await tell(world, one, [1, 2])
    await tell(world, other, [3])
    await tell(world, one, [4])
    const found = await lookUntil(world, places, 4)
    t.deepEqual([marks(found.events, one), marks(found.events, other)], [[1, 2, 4], [3]])
    const [first, second] = found.events.get(one.tenantId) ?? []
    if (!first || !second) return t.fail()
    t.like(first.event, { tenantId: one.tenantId, numberId: one.number.id, event: 'call.ended' })
    const rest = await reads.look(new Map([[one.tenantId, first.place]]), 1)
    t.deepEqual(marks(rest.events, one), [2], 'no more than are wanted')
    t.is((await reads.look(new Map([[one.tenantId, found.horizon]]), 100)).events.size, 0)
    const between = await reads.between(one.tenantId, first.place, found.horizon, 2)
    t.deepEqual(
      between?.map(({ event }) => event.data['mark']),
      [2, 4],
    )
    t.is(await reads.between(one.tenantId, first.place, found.horizon, 1), null)
    t.is((await reads.between(one.tenantId, first.place, second.place, 5))?.length, 1)
    const ahead = { xid: String(BigInt(found.horizon.xid) + 1_000_000n), position: '0' }
    t.is(await reads.between(one.tenantId, ahead, found.horizon, 5), null, 'nobody knows that place')
  })

  // [dashboard.stream.1]
  test(`${name}: what privacy withholds is withheld of an event that is told, as of one that is listed`, async (t) => {
    const world = makeWorld()
    const reads = world.stores.tenantFeedReads
    const owned = await ownedNumber(world)
    const { horizon } = await reads.look(new Map([[owned.tenantId, null]]), 100)
    const told = [callEvent('message.received', { text: 'secret' }), callEvent('call.ended', { mark: 1 })]
    await world.stores.calls.insert(owned.fence, newCall(owned), told)
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    const shown = async () => {
      const { events } = await reads.look(new Map([[owned.tenantId, horizon]]), 100)
      return (events.get(owned.tenantId) ?? []).filter(({ event }) => event.event !== 'number.created')
    }
    await until('the events are there', async () => (await shown()).length === 2)
    t.deepEqual(
      (await shown()).map(({ event }) => event.data),
      [{ redacted: true }, { mark: 1 }],
    )
  })

  test(`${name}: how numbers and live calls stand is read of the accounts that are named alone`, async (t) => {
    const world = makeWorld()
    const reads = world.stores.tenantFeedReads
    const [one, other] = [await ownedNumber(world), await ownedNumber(world)]
    const second = await secondNumber(world, one)
    const [live, over, foreign] = [newCall(one), newCall(one), newCall(other)]
    for (const [owned, call] of [
      [one, live],
      [one, over],
      [other, foreign],
    ] as const)
      await world.stores.calls.insert(owned.fence, call, [])
    await world.stores.calls.transition(one.fence, {
      callId: over.id,
      from: ['INITIATED'],
      to: 'FAILED',
      patch: {},
      events: [],
    })
    await world.stores.numbers.saveConnection(second.fence, { state: 'OPEN', isFullyConnected: true }, [])
    const { numbers, calls } = await reads.standing([one.tenantId])
    t.deepEqual(
      calls.map(({ id }) => id),
      [live.id],
    )
    t.deepEqual(
      new Set(numbers),
      new Set([
        { id: one.number.id, tenantId: one.tenantId, state: 'CLOSE', isFullyConnected: false, calling: null },
        { id: second.number.id, tenantId: one.tenantId, state: 'OPEN', isFullyConnected: true, calling: null },
      ] as const),
    )
    t.deepEqual(
      (await reads.callsOf([one.tenantId], [over.id, foreign.id])).map(({ id, status }) => [id, status]),
      [[over.id, 'FAILED']],
    )
    t.deepEqual(
      (await reads.numbersOf([one.tenantId], [second.number.id, other.number.id])).map(({ id }) => id),
      [second.number.id],
    )
  })
}

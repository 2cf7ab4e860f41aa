import type { TestFn } from 'ava'
import { COUNTED_MS } from '../../src/domain/daily-limit.ts'
import type { ReachAsk, TakenPlace } from '../../src/ports/stores/reach-store.ts'
import { accepted, DAY_MS, direct, headIds, HOUR_MS, received } from './message-world.ts'
import { newOfficial, newTenant, officialNumber, randomId } from './official-store.ts'
import type { MakeWorld, Owned, World } from './world.ts'

/** Numbers of one account of one tenant, owned by one node. */
async function numbersOfAccount(world: World, count: number, accountId = randomId()) {
  const tenantId = await newTenant(world)
  const numbers: Owned[] = []
  for (let i = 0; i < count; i++) {
    const { number, key } = await officialNumber(world, newOfficial(tenantId, { accountId }))
    const fence = await world.leases().acquire(number.id)
    if (!fence) throw new Error('the number could not be leased')
    numbers.push({ tenantId, number, key, fence })
  }
  return { tenantId, accountId, numbers }
}

/** A waiting message to a person, as the limit is asked for it. */
async function askFor(world: World, owned: Owned, address: string, perDay: number): Promise<ReachAsk> {
  const { id: messageId } = await accepted(world, owned, { to: direct(address) })
  const head = (await world.stores.queue.heads(owned.number.id, [], 100)).find(({ to }) => to.address === address)
  const accountId = owned.number.official?.accountId
  if (!head || accountId === undefined) throw new Error('the message does not wait')
  const { conversationId } = head
  return { tenantId: owned.tenantId, accountId, numberId: owned.number.id, conversationId, messageId, address, perDay }
}

function placeOf(ask: ReachAsk, at: number): TakenPlace {
  return { ...ask, at: new Date(at) }
}

const PEOPLE = ['4915100000011', '4915100000012', '4915100000013', '4915100000014'] as const

/** What every ReachStore does. */
export function reachSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [message-verbs.pace.1] [message-verbs.pace.2]
  test(`${name}: as many people as the limit names are reached in a day, by all numbers of the account together`, async (t) => {
    const world = makeWorld()
    const { reach } = world.stores
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 2)
    const [one, other] = numbers as [Owned, Owned]
    t.deepEqual(await reach.counted(tenantId, accountId), { used: 0, resetsAt: null })
    const began = world.clock.now()
    t.deepEqual(await reach.take(await askFor(world, one, PEOPLE[0], 2)), { kind: 'counted', at: new Date(began) })
    world.clock.advance(HOUR_MS)
    t.like(await reach.take(await askFor(world, other, PEOPLE[1], 2)), { kind: 'counted' })
    const third = await askFor(world, one, PEOPLE[2], 2)
    t.deepEqual(await reach.take(third), { kind: 'full', until: new Date(began + COUNTED_MS) })
    t.deepEqual(await reach.counted(tenantId, accountId), { used: 2, resetsAt: new Date(began + COUNTED_MS) })
    t.like(await reach.take({ ...third, perDay: 3 }), { kind: 'counted' }, 'a higher limit has room at once')
    world.clock.advance(began + COUNTED_MS - world.clock.now() - 1)
    t.like(await reach.take(await askFor(world, one, PEOPLE[3], 3)), { kind: 'full' })
    world.clock.advance(1)
    t.like(await reach.take(await askFor(world, other, PEOPLE[3], 3)), { kind: 'counted' })
    t.is((await reach.counted(tenantId, accountId)).used, 3)
  })

  test(`${name}: a person who counts takes no further place, and counts from the last message on`, async (t) => {
    const world = makeWorld()
    const { reach } = world.stores
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 2)
    const [one, other] = numbers as [Owned, Owned]
    await reach.take(await askFor(world, one, PEOPLE[0], 1))
    world.clock.advance(HOUR_MS)
    const at = world.clock.now()
    t.deepEqual(await reach.take(await askFor(world, other, PEOPLE[0], 1)), { kind: 'counted', at: new Date(at) })
    t.deepEqual(await reach.counted(tenantId, accountId), { used: 1, resetsAt: new Date(at + COUNTED_MS) })
  })

  test(`${name}: who wrote to the number within a day takes no place, and its other numbers do not profit`, async (t) => {
    const world = makeWorld()
    const { reach } = world.stores
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 2)
    const [one, other] = numbers as [Owned, Owned]
    await received(world, one, { peer: PEOPLE[0], from: PEOPLE[0] })
    t.deepEqual(await reach.take(await askFor(world, one, PEOPLE[0], 1)), { kind: 'open' })
    t.deepEqual(await reach.counted(tenantId, accountId), { used: 0, resetsAt: null })
    if (name !== 'memory') t.like(await reach.take(await askFor(world, other, PEOPLE[0], 1)), { kind: 'counted' })
    world.clock.advance(DAY_MS - 60_000)
    const late = await askFor(world, one, PEOPLE[0], 1)
    t.like(await reach.take(late), { kind: 'counted' }, 'a window that is about to close counts as closed')
  })

  // [message-verbs.pace.6]
  test(`${name}: a place is given back by the message that took it, as long as nobody else counts on it`, async (t) => {
    const world = makeWorld()
    const { reach } = world.stores
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 2)
    const [one, other] = numbers as [Owned, Owned]
    const used = async () => (await reach.counted(tenantId, accountId)).used
    const first = await askFor(world, one, PEOPLE[0], 5)
    const began = world.clock.now()
    await reach.take(first)
    await reach.giveBack(placeOf(first, began))
    t.is(await used(), 0)
    await reach.take(first)
    world.clock.advance(1_000)
    await reach.take(first)
    await reach.giveBack(placeOf(first, began))
    t.is(await used(), 1, 'it was taken anew since, as after a crash')
    await reach.giveBack(placeOf(first, world.clock.now()))
    t.is(await used(), 0)
    await reach.take(first)
    const taken = world.clock.now()
    const second = await askFor(world, other, PEOPLE[0], 5)
    world.clock.advance(1_000)
    await reach.take(second)
    for (const place of [placeOf(first, taken), placeOf(second, world.clock.now())]) await reach.giveBack(place)
    t.is(await used(), 1, 'either may have reached the person')
  })

  test(`${name}: accounts, and tenants of one account, count apart`, async (t) => {
    const world = makeWorld()
    const { reach } = world.stores
    const mine = await numbersOfAccount(world, 1)
    const theirs = await numbersOfAccount(world, 1, mine.accountId)
    for (const { numbers } of [mine, theirs])
      t.like(await reach.take(await askFor(world, numbers[0] as Owned, PEOPLE[0], 1)), { kind: 'counted' })
    for (const { tenantId, accountId } of [mine, theirs]) t.is((await reach.counted(tenantId, accountId)).used, 1)
  })

  test(`${name}: two numbers that ask at once never take more places than there are`, async (t) => {
    const world = makeWorld()
    const { accountId, tenantId, numbers } = await numbersOfAccount(world, 2)
    const asks: ReachAsk[] = []
    for (const [at, owned] of numbers.entries())
      for (let i = 0; i < 10; i++) asks.push(await askFor(world, owned, `49151000001${at}${i}`, 7))
    // Each node has stores of its own over one database, and each number is asked for on another node.
    const nodes = [world, name === 'memory' ? world : makeWorld(world.clock.now())]
    const results = await Promise.all(
      asks.map((ask) => (nodes[ask.numberId === numbers[0]?.number.id ? 0 : 1] as World).stores.reach.take(ask)),
    )
    t.is(results.filter(({ kind }) => kind === 'counted').length, 7)
    t.is((await world.stores.reach.counted(tenantId, accountId)).used, 7)
  })

  test(`${name}: no phone number of who was reached is kept, and nobody for longer than counts`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 3, 1))
    // Memory keeps no rows that outlive the process.
    const rowsOf = () => (name === 'memory' ? '' : world.rawTable('reached_people'))
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 1)
    await world.stores.reach.take(await askFor(world, numbers[0] as Owned, PEOPLE[0], 5))
    t.false((await rowsOf()).includes(PEOPLE[0]))
    world.clock.advance(COUNTED_MS)
    t.true((await world.stores.reach.purge()) >= 1)
    t.false((await rowsOf()).includes(accountId))
    t.is((await world.stores.reach.counted(tenantId, accountId)).used, 0)
  })
}

/** What every SendQueue does with messages that a limit holds. */
export function heldMessageSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [message-verbs.pace.7]
  test(`${name}: a held message waits, and others of its conversation go before it`, async (t) => {
    const world = makeWorld()
    const { queue } = world.stores
    const { numbers } = await numbersOfAccount(world, 1)
    const owned = numbers[0] as Owned
    const held = await accepted(world, owned)
    const later = await accepted(world, owned)
    t.deepEqual(await headIds(world, owned), [held.id])
    await queue.settle(owned.fence, { messageId: held.id, kind: 'held', afterMs: HOUR_MS })
    t.deepEqual(await headIds(world, owned), [later.id])
    t.deepEqual(await queue.nextDueAt(owned.number.id), new Date(world.clock.now() + HOUR_MS))
    t.like(await world.stores.messages.find(owned.number.id, held.id), { status: 'QUEUED' })
    await queue.settle(owned.fence, { messageId: later.id, kind: 'sent', externalMessageId: `up.${later.id}` })
    world.clock.advance(HOUR_MS)
    t.deepEqual(await headIds(world, owned), [held.id])
  })

  test(`${name}: held messages of an account are let go at their first place, and no others`, async (t) => {
    const world = makeWorld()
    const { queue } = world.stores
    const { tenantId, accountId, numbers } = await numbersOfAccount(world, 2)
    const [one, other] = numbers as [Owned, Owned]
    const stranger = (await numbersOfAccount(world, 1, accountId)).numbers[0] as Owned
    t.deepEqual(await queue.letGo(tenantId, accountId), [])
    const [first, foreign] = [await accepted(world, one), await accepted(world, stranger)]
    world.clock.advance(1_000)
    const second = await accepted(world, one)
    for (const [owned, { id: messageId }] of [
      [one, first],
      [stranger, foreign],
    ] as const)
      await queue.settle(owned.fence, { messageId, kind: 'held', afterMs: HOUR_MS })
    await accepted(world, other, { deliverAt: new Date(world.clock.now() + HOUR_MS) })
    t.deepEqual(await headIds(world, one), [second.id])
    t.deepEqual(await queue.letGo(tenantId, accountId), [one.number.id])
    t.deepEqual(await headIds(world, one), [first.id])
    t.deepEqual([await headIds(world, other), await headIds(world, stranger)], [[], []])
    t.deepEqual(await queue.letGo(tenantId, accountId), [])
  })

  test(`${name}: a held message can be canceled`, async (t) => {
    const world = makeWorld()
    const owned = (await numbersOfAccount(world, 1)).numbers[0] as Owned
    const { id: messageId } = await accepted(world, owned)
    await world.stores.queue.settle(owned.fence, { messageId, kind: 'held', afterMs: HOUR_MS })
    await world.stores.messages.cancel(owned.number.id, [messageId])
    t.like(await world.stores.messages.find(owned.number.id, messageId), { status: 'CANCELED' })
    world.clock.advance(HOUR_MS)
    t.deepEqual(await headIds(world, owned), [])
  })
}

import type { TestFn } from 'ava'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import type { SetAsideItem } from '../../src/domain/set-aside.ts'
import { change, receiver } from './inbound-store.ts'
import { ownedNumber, type MakeWorld, type World } from './world.ts'

const FAULT = { reason: '23514', tries: 4 }

/** Later than what other suites purge, whose errands share the table. */
const START_MS = Date.UTC(2031, 0, 1)

/** What is set aside of a number, oldest first. */
async function asideOf({ stores }: World, numberId: NumberId) {
  return (await stores.setAside.list(100_000)).filter((item) => item.numberId === numberId)
}

/** How what numbers set aside leaves its line; how operators have it tried again is not part of it. */
export function setAsideSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a change that is set aside waits no longer, and is set aside once, by the owner alone`, async (t) => {
    const world = makeWorld(START_MS)
    const { inbound, setAside } = world.stores
    const { tenantId, number, target, phoneId, fence } = await receiver(world)
    const stranger = await receiver(world)
    const told = change(target, { phoneId, field: 'messages', value: '{"who":"somebody private"}' })
    await inbound.accept(target, [told, change(target, { phoneId })])
    const [first, second] = await inbound.pending(number.id, 0, 10)
    if (!first || !second) return t.fail('a change is missing')
    t.is(await setAside.change({ ...fence, token: fence.token - 1 }, first.position, FAULT), 'fenced')
    t.is(await setAside.change(stranger.fence, first.position, FAULT), 'conflict')
    t.deepEqual(await asideOf(world, number.id), [])
    const results = await Promise.all([1, 2, 3].map(() => setAside.change(fence, first.position, FAULT)))
    t.deepEqual(results.toSorted(), ['applied', 'conflict', 'conflict'])
    t.deepEqual(await inbound.pending(number.id, 0, 10), [second])
    t.is(await inbound.settle(fence, [first.position], []), 'conflict')
    t.deepEqual(await inbound.accept(target, [told]), { stored: 0, numbers: [], accounts: [] })
    const items = await asideOf(world, number.id)
    t.deepEqual(items, [
      {
        id: items[0]?.id ?? '',
        line: 'changes',
        item: String(first.position),
        tenantId,
        numberId: number.id,
        accountId: target.accountId,
        ...FAULT,
        createdAt: new Date(START_MS),
      },
    ])
  })

  test(`${name}: an event of an engine is set aside only by the owner, once for each name`, async (t) => {
    const world = makeWorld(START_MS)
    const { numbers, setAside } = world.stores
    const { tenantId, number, fence } = await ownedNumber(world)
    const item = newId('log')
    t.is(await setAside.deviceEvent({ ...fence, token: fence.token - 1 }, item, '{"n":1}', FAULT), 'fenced')
    t.deepEqual(await asideOf(world, number.id), [])
    t.is(await setAside.deviceEvent(fence, item, '{"n":1}', FAULT), 'applied')
    world.clock.advance(1000)
    const later = { reason: 'TypeError', tries: 7 }
    t.is(await setAside.deviceEvent(fence, item, '{"n":2}', later), 'applied')
    const items = await asideOf(world, number.id)
    t.deepEqual(items, [
      {
        id: items[0]?.id ?? '',
        line: 'device-events',
        item,
        tenantId,
        numberId: number.id,
        accountId: null,
        ...later,
        createdAt: new Date(START_MS + 1000),
      },
    ])
    t.true(await numbers.remove(tenantId, number.id))
    t.is(await setAside.deviceEvent(fence, newId('log'), '{"n":3}', FAULT), 'fenced')
  })

  test(`${name}: an errand that is set aside waits no longer, and one that is gone is not set aside`, async (t) => {
    const world = makeWorld(START_MS)
    const { errands, setAside } = world.stores
    const { tenantId, number } = await ownedNumber(world)
    const [id, done] = [
      (await errands.note(number.id, { kind: 'settings' }, 0)) ?? '',
      (await errands.note(number.id, { kind: 'reopen' }, 0)) ?? '',
    ]
    await errands.done(done)
    await setAside.errand(done, FAULT)
    await setAside.errand(id, FAULT)
    await setAside.errand(id, { reason: 'TypeError', tries: 9 })
    t.is(await errands.failed(id), 0)
    const items = await asideOf(world, number.id)
    t.deepEqual(items, [
      {
        id: items[0]?.id ?? '',
        line: 'errands',
        item: id,
        tenantId,
        numberId: number.id,
        accountId: null,
        ...FAULT,
        createdAt: new Date(START_MS),
      },
    ])
  })

  test(`${name}: an item noted again keeps its place and says why it failed last, and long reasons are cut`, async (t) => {
    const world = makeWorld(START_MS)
    const { setAside } = world.stores
    const { tenantId, number } = await ownedNumber(world)
    const item: SetAsideItem = {
      line: 'sends',
      item: newId('msg'),
      tenantId,
      numberId: number.id,
      accountId: null,
      ...FAULT,
    }
    await setAside.note(item, null)
    await setAside.note({ ...item, line: 'live-calls', reason: 'x'.repeat(100) }, '{}')
    world.clock.advance(1000)
    await setAside.note({ ...item, reason: 'Error', tries: 5 }, null)
    const items = await asideOf(world, number.id)
    t.deepEqual(
      items.map(({ line, reason, tries, createdAt }) => [line, reason, tries, createdAt.getTime()]),
      [
        ['sends', 'Error', 5, START_MS + 1000],
        ['live-calls', 'x'.repeat(64), 4, START_MS],
      ],
    )
    const [first, second] = items.map(({ id }) => Number(id))
    t.true((first ?? 0) < (second ?? 0))
    t.is((await setAside.list(1)).length, 1)
  })
}

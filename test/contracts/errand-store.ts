import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import type { ErrandStore, StoredErrand } from '../../src/ports/stores/errand-store.ts'
import { ownedNumber, type MakeWorld } from './world.ts'

/** Takes due errands and keeps those of one number, because other tests add errands at the same time. */
async function dueOf(errands: ErrandStore, numberId: NumberId): Promise<StoredErrand[]> {
  return (await errands.takeDue(1_000, 10_000)).filter((errand) => errand.numberId === numberId)
}

/** What every ErrandStore does. */
export function errandStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // Serial, because an errand that one test takes is not available to another.
  test.serial(
    `${name}: a held errand is taken by nobody else, and later by one taker at a time until it is done`,
    async (t) => {
      const world = makeWorld()
      const { errands } = world.stores
      const { number } = await ownedNumber(world)
      const read = { kind: 'read', externalMessageIds: ['a', 'é"'] } as const
      const ids = [
        await errands.note(number.id, { kind: 'settings' }, 5_000),
        await errands.note(number.id, read, 5_000),
      ]
      t.deepEqual(await dueOf(errands, number.id), [])
      world.clock.advance(5_000)
      const taken = await dueOf(errands, number.id)
      t.deepEqual(taken, [
        { id: ids[0] ?? '', numberId: number.id, errand: { kind: 'settings' } },
        { id: ids[1] ?? '', numberId: number.id, errand: read },
      ])
      t.deepEqual(await dueOf(errands, number.id), [])
      await errands.done(ids[0] ?? '')
      world.clock.advance(10_000)
      t.deepEqual(
        (await dueOf(errands, number.id)).map(({ id }) => id),
        [ids[1]],
      )
      await errands.done(ids[1] ?? '')
      world.clock.advance(10_000)
      t.deepEqual(await dueOf(errands, number.id), [])
    },
  )

  test.serial(`${name}: two nodes that take errands at once never get the same one`, async (t) => {
    const world = makeWorld()
    const { errands } = world.stores
    const { number } = await ownedNumber(world)
    for (let at = 0; at < 20; at++) await errands.note(number.id, { kind: 'settings' }, 0)
    const taken = (await Promise.all([dueOf(errands, number.id), dueOf(errands, number.id)])).flat()
    t.is(taken.length, 20)
    t.is(new Set(taken.map(({ id }) => id)).size, 20)
  })

  test.serial(`${name}: errands of removed numbers and old errands are removed`, async (t) => {
    const world = makeWorld()
    const { errands, numbers } = world.stores
    t.is(await errands.note(newId('num'), { kind: 'settings' }, 0), null)
    const { number } = await ownedNumber(world)
    const id = await errands.note(number.id, { kind: 'settings' }, 0)
    t.truthy(id)
    world.clock.advance(60_000)
    t.true((await errands.purge(30_000)) >= 1)
    t.deepEqual(await dueOf(errands, number.id), [])
    await errands.done(id ?? '')
    t.truthy(await numbers.find(number.tenantId, number.id))
  })
}

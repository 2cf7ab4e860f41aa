import type { TestFn } from 'ava'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import type { Leases } from '../../src/ports/leases.ts'
import type { Placement } from '../../src/ports/placement.ts'
import { ownedNumber, type World } from './world.ts'

/** One node of an installation that contains only what a test makes. */
export interface PlacedNode {
  readonly leases: Leases
  readonly placement: Placement
}

export interface PlacementWorld {
  readonly world: World
  /** Makes the process of a node; `boot` distinguishes it from the next process of that name. */
  node(name: string, boot?: string): PlacedNode
  /** Ends the node: it renews nothing more, and its leases with their grace are over. */
  kill(node: PlacedNode): Promise<void>
}

/** Makes paired numbers that no node holds or has heard of. */
async function pairedNumbers({ world }: PlacementWorld, count: number): Promise<NumberId[]> {
  const ids: NumberId[] = []
  for (let i = 0; i < count; i++) {
    const { number, fence } = await ownedNumber(world)
    await world.stores.numbers.saveConnection(fence, { credentials: 'secret' }, [])
    await world.leases().release(fence)
    ids.push(number.id)
  }
  return ids.toSorted()
}

async function held({ leases }: PlacedNode, numbers: readonly NumberId[]) {
  const fences = await Promise.all(numbers.map((numberId) => leases.acquire(numberId)))
  return fences.filter((fence) => fence !== null)
}

/** What all Placements do. Each test has an installation of its own. */
export function placementSuite(test: TestFn, name: string, makeWorld: () => Promise<PlacementWorld>): void {
  test.serial(`${name}: a census counts nodes that are alive, sessions wanted, and those that are here`, async (t) => {
    const made = await makeWorld()
    const [one, two, three] = [made.node('one'), made.node('two'), made.node('three')]
    for (const node of [one, two, three]) t.true(await node.placement.join(true))
    const [first, second] = await pairedNumbers(made, 3)
    await ownedNumber(made.world)
    await held(one, [first ?? newId('num'), second ?? newId('num')])
    t.deepEqual(await one.placement.census(), { nodes: 3, numbers: 3, mine: 2 })
    await two.placement.leave()
    await made.kill(three)
    t.deepEqual(await two.placement.census(), { nodes: 1, numbers: 3, mine: 0 })
    await two.placement.forget()
    await two.leases.renew()
    t.is((await one.placement.census()).nodes, 2, 'who renews is alive')
  })

  test.serial(
    `${name}: a number that was handed over wants an owner and is claimed once, with a higher token`,
    async (t) => {
      const made = await makeWorld()
      const [one, two] = [made.node('one'), made.node('two')]
      for (const node of [one, two]) await node.placement.join(true)
      const numbers = await pairedNumbers(made, 5)
      const fences = await held(one, numbers)
      t.false((await two.placement.look()).isWanted)
      t.deepEqual(await two.placement.claim(10), [])
      for (const fence of fences.slice(0, 4)) await one.leases.release(fence, true)
      t.true((await two.placement.look()).isWanted)
      const claims = await Promise.all([two.placement.claim(2), one.placement.claim(1), two.placement.claim(5)])
      const claimed = claims.flat()
      t.deepEqual(
        claims.map(({ length }) => length).map((length, i) => length <= [2, 1, 5][i]!),
        [true, true, true],
      )
      const left = await two.placement.claim(10)
      t.deepEqual(
        [...claimed, ...left].map(({ numberId }) => numberId).toSorted(),
        numbers.filter((id) => fences.slice(0, 4).some(({ numberId }) => numberId === id)),
      )
      for (const { numberId, token } of [...claimed, ...left])
        t.true(token > (fences.find((fence) => fence.numberId === numberId)?.token ?? Infinity))
      t.false((await two.placement.look()).isWanted)
    },
  )

  test.serial(`${name}: a number that left memory by itself, or is not paired, wants no owner`, async (t) => {
    const made = await makeWorld()
    const one = made.node('one')
    await one.placement.join(true)
    for (const fence of await held(one, await pairedNumbers(made, 1))) await one.leases.release(fence)
    const { fence } = await ownedNumber(made.world)
    await made.world.leases().release(fence, true)
    t.false((await one.placement.look()).isWanted)
    t.deepEqual(await one.placement.claim(10), [])
  })

  test.serial(
    `${name}: numbers of a dead node are claimed, as many as are asked for, and none of a living node`,
    async (t) => {
      const made = await makeWorld()
      const [one, two, dead] = [made.node('one'), made.node('two'), made.node('dead')]
      for (const node of [one, two, dead]) await node.placement.join(true)
      const numbers = await pairedNumbers(made, 6)
      await held(dead, numbers.slice(0, 4))
      await held(two, numbers.slice(4))
      t.false((await one.placement.look()).isWanted)
      await made.kill(dead)
      t.true((await one.placement.look()).isWanted)
      const [few, rest] = [await one.placement.claim(3), await one.placement.claim(3)]
      t.is(few.length, 3)
      t.deepEqual([...few, ...rest].map(({ numberId }) => numberId).toSorted(), numbers.slice(0, 4))
      t.true(
        [...few, ...rest].every(({ token }) => token === 3),
        'its first owner had 1, the dead node 2',
      )
      t.deepEqual((await one.leases.renew()).kept.toSorted(), numbers.slice(0, 4))
      t.deepEqual(await dead.leases.renew(), { kept: [], over: [] })
    },
  )

  test.serial(
    `${name}: a node that restarts gives back the numbers that it held, so that it or others can take them at once`,
    async (t) => {
      const made = await makeWorld()
      const before = made.node('one', 'boot-1')
      await before.placement.join(true)
      const numbers = await pairedNumbers(made, 2)
      await held(before, numbers)
      const after = made.node('one', 'boot-2')
      t.true(await after.placement.join(true))
      t.deepEqual(await after.leases.renew(), { kept: [], over: [] })
      t.deepEqual((await after.placement.claim(5)).map(({ numberId }) => numberId).toSorted(), numbers)
    },
  )

  test.serial(
    `${name}: the name of a living process is not given to another one, except when only one process can have the name`,
    async (t) => {
      const made = await makeWorld()
      const first = made.node('one', 'boot-1')
      t.true(await first.placement.join(false))
      const numbers = await pairedNumbers(made, 1)
      await held(first, numbers)
      t.false(await made.node('one', 'boot-2').placement.join(false))
      t.deepEqual((await first.leases.renew()).kept, numbers)
      await made.kill(first)
      t.true(await made.node('one', 'boot-2').placement.join(false))
      t.true(await made.node('one', 'boot-3').placement.join(true))
    },
  )

  test.serial(
    `${name}: a process whose name was taken by another one takes, renews and claims nothing of the other's, and is told so`,
    async (t) => {
      const made = await makeWorld()
      const frozen = made.node('one', 'boot-1')
      await frozen.placement.join(false)
      const numbers = await pairedNumbers(made, 2)
      const [mine, others] = await held(frozen, numbers)
      if (!mine || !others) return t.fail('not held')
      await made.kill(frozen)
      const later = made.node('one', 'boot-2')
      t.true(await later.placement.join(false))
      const [taken] = await later.placement.claim(1)
      t.deepEqual(await frozen.leases.renew(), { kept: [], over: [], isReplaced: true })
      t.deepEqual(await frozen.leases.reclaim([mine, others]), [])
      t.deepEqual(await held(frozen, numbers), [])
      t.deepEqual(await frozen.placement.claim(5), [])
      await frozen.leases.release(mine)
      await frozen.placement.forget()
      t.like(await later.leases.ownerOf(taken?.numberId ?? newId('num')), {
        nodeId: later.leases.nodeId,
        token: taken?.token ?? 0,
      })
      t.deepEqual((await later.leases.renew()).kept, [taken?.numberId])
    },
  )

  test.serial(`${name}: paired numbers are walked in pages, each page naming those that nobody holds`, async (t) => {
    const made = await makeWorld()
    const [one, dead] = [made.node('one'), made.node('dead')]
    for (const node of [one, dead]) await node.placement.join(true)
    const numbers = await pairedNumbers(made, 5)
    await held(one, numbers.slice(1, 3))
    await held(dead, numbers.slice(3, 4))
    await made.kill(dead)
    const pages: NumberId[][] = []
    let cursor: NumberId | null = null
    do {
      const page = await one.placement.listFree(cursor, 2)
      pages.push(page.free)
      cursor = page.next
    } while (cursor !== null)
    t.deepEqual(pages, [numbers.slice(0, 1), numbers.slice(3, 4), numbers.slice(4)])
  })
}

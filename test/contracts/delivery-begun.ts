import type { TestFn } from 'ava'
import type { DeliveryJob, FetchedDelivery } from '../../src/ports/stores/delivery-store.ts'
import { failure, matchAll, rung, success, type MakeDeliveryWorld } from './delivery-store.ts'

const all = (jobs: readonly DeliveryJob[]): ReadonlySet<DeliveryJob> => new Set(jobs)

function idsOf(deliveries: readonly DeliveryJob[]): string[] {
  return deliveries.map(({ eventId }) => eventId).toSorted()
}

/** How a node makes first tries of the events that it relays, without a stay in the queue. */
export function deliveryBegunSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  async function begun(count: number) {
    const { world, owned } = await rung(makeWorld, count)
    const relayed = await world.deliveries.relay(20, matchAll, all)
    return { world, owned, tries: [...relayed.begun], queued: relayed.queued }
  }

  function firstOf(tries: readonly FetchedDelivery[]): FetchedDelivery {
    const [first] = tries
    if (!first) throw new Error('nothing was begun')
    return first
  }

  test.serial(`${name}: what a node begins as it relays is in no queue, and is over once it is settled`, async (t) => {
    const { world, owned, tries, queued } = await begun(3)
    t.deepEqual([tries.length, queued], [3, 0])
    t.true(tries.every(({ attempt, webhookId }) => attempt === 1 && webhookId === owned.webhook.id))
    t.is(new Set(tries.map(({ jobId }) => jobId)).size, 3)
    t.deepEqual(await world.otherNode().fetch(10, []), [])
    await world.deliveries.settle(tries.map((job) => success(job, world)))
    await world.expire()
    t.deepEqual(await world.otherNode().fetch(10, []), [])
    t.is((await world.restart()).recovered, 0)
  })

  test.serial(`${name}: of one relay some deliveries begin and the others are queued`, async (t) => {
    const { world } = await rung(makeWorld, 4)
    const relayed = await world.deliveries.relay(20, matchAll, (jobs) => new Set(jobs.slice(0, 1)))
    t.deepEqual([relayed.taken, relayed.queued, relayed.begun.length], [4, 3, 1])
    const fetched = await world.deliveries.fetch(10, [])
    t.is(new Set(idsOf([...fetched, ...relayed.begun])).size, 4)
  })

  test.serial(`${name}: a first try that failed has its retry in the queue`, async (t) => {
    const { world, tries } = await begun(2)
    await world.deliveries.settle([failure(firstOf(tries), world, 0), success(tries[1] ?? firstOf(tries), world)])
    const again = await world.deliveries.fetch(10, [])
    t.like(again, [{ eventId: firstOf(tries).eventId, attempt: 2 }])
    t.is(again.length, 1)
  })

  test.serial(`${name}: first tries that are given back are queued once`, async (t) => {
    const { world, tries } = await begun(3)
    await world.deliveries.putBack(tries.slice(0, 2))
    const back = await world.otherNode().fetch(10, [])
    t.deepEqual(idsOf(back), idsOf(tries.slice(0, 2)))
    await world.deliveries.settle([success(tries[2] ?? firstOf(tries), world)])
    t.is((await world.restart()).recovered, 0)
  })

  test.serial(
    `${name}: a node killed while it made first tries queues those that it had not settled, when it starts`,
    async (t) => {
      const { world, tries } = await begun(5)
      await world.deliveries.settle([success(firstOf(tries), world)])
      const { store, recovered } = await world.restart()
      t.is(recovered, 4)
      const back = await store.fetch(10, [])
      t.deepEqual(idsOf(back), idsOf(tries.slice(1)))
      t.true(back.every(({ attempt }) => attempt === 1))
      // Outcomes that the killed process still sends decide nothing.
      await world.deliveries.settle(tries.slice(1).map((job) => failure(job, world, 0)))
      t.deepEqual(await store.fetch(10, []), [])
    },
  )

  test.serial(
    `${name}: first tries of a node that never comes back are queued for the others, and it decides nothing any more`,
    async (t) => {
      const { world, tries } = await begun(3)
      await world.deliveries.settle([success(firstOf(tries), world)])
      await world.expire()
      const other = world.otherNode()
      const taken = await other.fetch(10, [])
      t.deepEqual(idsOf(taken), idsOf(tries.slice(1)))
      await world.deliveries.settle([failure(tries[1] ?? firstOf(tries), world, 0)])
      await world.deliveries.putBack(tries.slice(2))
      t.deepEqual(await other.fetch(10, []), [])
    },
  )
}

import type { TestFn } from 'ava'
import { newId, type EventId } from '../../src/domain/ids.ts'
import type { FetchedDelivery } from '../../src/ports/stores/delivery-store.ts'
import { fetchedBy } from './delivery-health.ts'
import { failure, hooked, logOf, matchAll, rung, success, type MakeDeliveryWorld } from './delivery-store.ts'

const HOUR_MS = 3_600_000

/** How events whose last attempt failed are queued again. */
export function deliveryAgainSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  /** Deliveries that were fetched and given up, each a second after the one before. */
  async function failedJobs(count: number) {
    const fetched = await fetchedBy(makeWorld, count)
    const { world, owned, jobs } = fetched
    const since = new Date(world.clock.now())
    const givenUp = (job: FetchedDelivery) => ({ ...failure(job, world, 0), retry: null })
    for (const job of jobs) {
      world.clock.advance(1_000)
      await world.deliveries.settle([givenUp(job)])
    }
    world.clock.advance(1_000)
    const again = (until = new Date(world.clock.now()), most = 1_000, from = since) =>
      world.deliveries.enqueueFailed(owned.webhook, { since: from, until }, most)
    const queued = async () => (await world.deliveries.fetch(100, [])).map(({ eventId }) => eventId)
    return { ...fetched, since, again, queued, events: jobs.map(({ eventId }) => eventId) }
  }

  // [webhooks.redelivery.1] [webhooks.redelivery.2]
  test.serial(`${name}: of what failed in a range each event is queued once, oldest attempts first`, async (t) => {
    const { world, jobs, events, since, again } = await failedJobs(4)
    const [first, second] = jobs
    if (!first || !second) throw new Error('the jobs are missing')
    // One failed twice, so its last attempt is the youngest; one was delivered in the end.
    const log = (job: FetchedDelivery, status: 'FAILED' | 'SUCCESS') => ({
      jobId: null,
      log: logOf({ ...job, attempt: 2 }, world, { status }),
      retry: null,
      disable: null,
    })
    await world.deliveries.settle([log(first, 'FAILED'), log(second, 'SUCCESS')])
    t.is(await again(new Date(world.clock.now()), 2), 2)
    const oldest = await world.deliveries.fetch(100, [])
    t.deepEqual(oldest.map(({ eventId }) => eventId).toSorted(), events.slice(2).toSorted())
    t.true(oldest.every(({ attempt }) => attempt === 1))
    t.is(await again(), 1, 'those that are being tried are passed over')
    const [last] = await world.deliveries.fetch(100, [])
    t.is(last?.eventId, first.eventId)
    await world.deliveries.settle([...oldest, ...(last ? [last] : [])].map((job) => success(job, world)))
    t.is(await again(), 0, 'nothing is left to be delivered again')
    t.is(await again(new Date(since.getTime() + 3_500)), 3, 'what came after the range does not count')
  })

  test.serial(`${name}: a first try that failed is made again when asked, until its retry succeeded`, async (t) => {
    const { world, owned } = await rung(makeWorld, 2)
    const { begun: tries } = await world.deliveries.relay(20, matchAll, (jobs) => new Set(jobs))
    const range = { since: new Date(world.clock.now()), until: new Date(world.clock.now() + 60_000) }
    const again = () => world.deliveries.enqueueFailed(owned.webhook, range, 100)
    const retried = tries[0]?.eventId
    await world.deliveries.settle(tries.map((job) => failure(job, world, 0)))
    const retries = await world.deliveries.fetch(10, [])
    world.clock.advance(1_000)
    await world.deliveries.settle(
      retries.map((job) =>
        job.eventId === retried ? success(job, world) : { ...failure(job, world, 0), retry: null },
      ),
    )
    t.is(await again(), 1)
    t.deepEqual(
      (await world.deliveries.fetch(10, [])).map(({ eventId }) => eventId),
      tries.slice(1).map(({ eventId }) => eventId),
    )
  })

  test.serial(`${name}: an event that waits for a later try is queued at once, one that is due is not`, async (t) => {
    const { world, again, queued, jobs } = await failedJobs(2)
    const [job] = jobs
    if (!job) throw new Error('the jobs are missing')
    await world.deliveries.settle([
      { jobId: null, log: null, disable: null, retry: { job: { ...job, attempt: 2 }, delayMs: HOUR_MS } },
    ])
    t.is(await again(), 2)
    t.is(await again(), 0, 'they are due')
    t.is((await queued()).length, 2)
  })

  // [webhooks.redelivery.4]
  test.serial(`${name}: of requests at once for one webhook each event is queued once`, async (t) => {
    const { world, owned, since, events, queued } = await failedJobs(5)
    const range = { since, until: new Date(world.clock.now()) }
    const nodes = [world.deliveries, world.otherNode(), world.otherNode()]
    const counts = await Promise.all(nodes.map((node) => node.enqueueFailed(owned.webhook, range, 1_000)))
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      5,
    )
    t.deepEqual((await queued()).toSorted(), events.toSorted())
  })

  test.serial(`${name}: what failed for others, is kept no longer or was switched off is not queued`, async (t) => {
    const { world, owned, scope, since, again, queued, jobs } = await failedJobs(1)
    const stranger = await hooked(world)
    const [job] = jobs
    if (!job) throw new Error('the job is missing')
    const range = { since, until: new Date(world.clock.now()) }
    const lost = logOf({ ...job, eventId: newId('evt') as EventId }, world, { status: 'FAILED' })
    await world.deliveries.settle([{ jobId: null, log: lost, retry: null, disable: null }])
    t.is(await world.deliveries.enqueueFailed(stranger.webhook, range, 1_000), 0)
    t.is(await world.deliveries.enqueueFailed({ ...owned.webhook, id: newId('wh') }, range, 1_000), 0)
    await world.stores.webhooks.patch(scope, owned.webhook.id, { active: false })
    t.is(await again(), 0)
    await world.stores.webhooks.patch(scope, owned.webhook.id, { active: true })
    t.is(await again(), 1)
    t.deepEqual(await queued(), [job.eventId])
  })
}

import type { TestFn } from 'ava'
import type { StoredEvent } from '../../src/domain/events.ts'
import { newId, newIdAt, type EventId } from '../../src/domain/ids.ts'
import { isSubscribed, type DeliveryLog, type Webhook } from '../../src/domain/webhook.ts'
import type {
  DeliveryJob,
  DeliveryStore,
  FetchedDelivery,
  SettledAttempt,
  Subscriber,
} from '../../src/ports/stores/delivery-store.ts'
import { until } from '../helpers/until.ts'
import { callEvent, newCall, newNumber, ownedNumber, storedEvents, type Owned, type World } from './world.ts'
import { makeWebhook, newWebhook } from './webhook-store.ts'

/**
 * A world whose events go to webhooks. Queue and outbox are shared by the whole database, so suites over one database
 * run their tests one after another.
 */
export interface DeliveryWorld extends World {
  readonly deliveries: DeliveryStore
  /** The same queue, used by another node. */
  otherNode(): DeliveryStore
  /** Kills and restarts the node of `deliveries`; resolves to its store and to how many jobs it gave back. */
  restart(): Promise<{ store: DeliveryStore; recovered: number }>
  /** Waits until fetched jobs have expired. */
  expire(): Promise<void>
  /** Empties outbox and queue. */
  clear(): Promise<void>
  /** Counts the statements of `work`, without begin and commit. */
  statements(work: () => Promise<unknown>): Promise<number>
}

export type MakeDeliveryWorld = () => Promise<DeliveryWorld>

export function matchAll(event: StoredEvent, subscribers: readonly Subscriber[]): DeliveryJob[] {
  return subscribers
    .filter((one) => isSubscribed(one.events, event.event, one.provider))
    .map(({ webhookId, tenantId }) => ({ eventId: event.id, webhookId, tenantId, attempt: 1 }))
}

export function logOf(job: DeliveryJob, world: World, fields: Partial<DeliveryLog> = {}): DeliveryLog {
  return {
    id: newIdAt('log', world.clock.now()),
    webhookId: job.webhookId,
    eventId: job.eventId,
    event: 'call.ringing',
    attempt: job.attempt,
    status: 'SUCCESS',
    statusCode: 200,
    payload: '{"a":1}',
    response: 'ok',
    durationMs: 12,
    createdAt: new Date(world.clock.now()),
    ...fields,
  }
}

export function success(job: FetchedDelivery, world: World): SettledAttempt {
  return { jobId: job.jobId, log: logOf(job, world), retry: null, disable: null }
}

export function failure(job: FetchedDelivery, world: World, delayMs: number): SettledAttempt {
  return {
    jobId: job.jobId,
    log: logOf(job, world, { status: 'FAILED', statusCode: 500, response: 'no' }),
    disable: null,
    retry: {
      job: { eventId: job.eventId, webhookId: job.webhookId, tenantId: job.tenantId, attempt: job.attempt + 1 },
      delayMs,
    },
  }
}

export async function hooked(world: World): Promise<Owned & { webhook: Webhook }> {
  const owned = await ownedNumber(world)
  return { ...owned, webhook: await makeWebhook(world.stores.webhooks, newWebhook(owned)) }
}

/** Stores this many call.ringing events of the number. */
export async function ring(world: World, owned: Owned, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await world.stores.calls.insert(owned.fence, newCall(owned), [callEvent('call.ringing', { i })])
}

/** A world with a webhook whose number has just told of `count` calls that ring, and of nothing else. */
export async function rung(makeWorld: MakeDeliveryWorld, count: number) {
  const world = await makeWorld()
  const owned = await hooked(world)
  await relayAll(world.deliveries)
  await world.clear()
  await ring(world, owned, count)
  return { world, owned }
}

async function idsOf(world: World, owned: Owned): Promise<EventId[]> {
  return (await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })).map(
    ({ id }) => id,
  )
}

export async function relayAll(store: DeliveryStore): Promise<number> {
  let total = 0
  for (;;) {
    const { taken, queued } = await store.relay(20, matchAll)
    total += queued
    if (taken === 0) return total
  }
}

const SCOPE_PAGE = { limit: 50, event: null, status: null, before: null }

/** How stored events become deliveries. */
export function deliveryRelaySuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  test.serial(`${name}: four relays at once hand each event on exactly once`, async (t) => {
    const world = await makeWorld()
    const owned = await hooked(world)
    await ring(world, owned, 60)
    t.true((await world.deliveries.outboxAgeMs()) >= 0)
    const nodes = [world.deliveries, world.otherNode(), world.otherNode(), world.otherNode()]
    await Promise.all(nodes.map(relayAll))
    const fetched = await world.deliveries.fetch(500, [])
    t.deepEqual(fetched.map(({ eventId }) => eventId).toSorted(), (await idsOf(world, owned)).toSorted())
    t.true(
      fetched.every(
        (job) => job.webhookId === owned.webhook.id && job.tenantId === owned.tenantId && job.attempt === 1,
      ),
    )
    t.is(await world.deliveries.outboxAgeMs(), 0)
    t.deepEqual(await world.deliveries.relay(20, matchAll), { taken: 0, queued: 0, begun: [] })
  })

  test.serial(`${name}: an event that is only kept goes to no subscriber, and can be loaded for one`, async (t) => {
    const world = await makeWorld()
    const owned = await hooked(world)
    await relayAll(world.deliveries)
    const event: StoredEvent = {
      id: newId('evt'),
      event: 'webhook.test',
      tenantId: owned.tenantId,
      numberId: owned.number.id,
      createdAt: new Date(world.clock.now()),
      data: { message: 'a' },
    }
    await world.deliveries.keep(event)
    t.deepEqual(await world.deliveries.relay(20, matchAll), { taken: 0, queued: 0, begun: [] })
    const loaded = await world.deliveries.load([
      { eventId: event.id, webhookId: owned.webhook.id, tenantId: owned.tenantId, attempt: 1 },
    ])
    t.like(loaded.events.get(event.id), { id: event.id, data: { message: 'a' }, createdAt: event.createdAt })
  })

  test.serial(`${name}: a relay that fails leaves the outbox as it was`, async (t) => {
    const world = await makeWorld()
    const owned = await hooked(world)
    await ring(world, owned, 3)
    await t.throwsAsync(
      world.deliveries.relay(20, () => {
        throw new Error('cannot match')
      }),
      { message: 'cannot match' },
    )
    world.clock.advance(5_000)
    t.true((await world.deliveries.outboxAgeMs()) >= 5_000)
    t.is(await relayAll(world.deliveries), 4)
  })

  test.serial(`${name}: only active webhooks of the event's own number are asked, with their provider`, async (t) => {
    const world = await makeWorld()
    const [owned, stranger] = [await hooked(world), await hooked(world)]
    const paused = await makeWebhook(world.stores.webhooks, newWebhook(owned))
    await world.stores.webhooks.patch({ tenantId: owned.tenantId, numberId: null }, paused.id, { active: false })
    const sibling = await world.stores.numbers.create(newNumber(owned.tenantId))
    if (!sibling.ok) throw new Error('the second number could not be made')
    await makeWebhook(world.stores.webhooks, newWebhook({ tenantId: owned.tenantId, number: sibling.value.number }))
    await relayAll(world.deliveries)
    await ring(world, owned, 1)
    const asked: Subscriber[] = []
    await world.deliveries.relay(20, (_event, subscribers) => {
      asked.push(...subscribers)
      return []
    })
    t.deepEqual(
      asked.map((one) => ({ ...one, isRemoved: undefined })),
      [
        {
          webhookId: owned.webhook.id,
          tenantId: owned.tenantId,
          events: ['*'],
          provider: 'UNOFFICIAL',
          isRemoved: undefined,
        },
      ],
    )
    t.not(stranger.webhook.id, owned.webhook.id)
  })
}

/** How nodes share the queue of deliveries. */
export function deliveryQueueSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  async function fetchedJobs(count: number) {
    const { world, owned } = await rung(makeWorld, count)
    await relayAll(world.deliveries)
    return { world, owned, jobs: await world.deliveries.fetch(count, []) }
  }

  test.serial(`${name}: each job is fetched once, and webhooks at their limit are skipped`, async (t) => {
    const { world, owned, jobs } = await fetchedJobs(5)
    t.is(jobs.length, 5)
    t.deepEqual(await world.deliveries.fetch(10, []), [])
    const other = await hooked(world)
    await ring(world, other, 2)
    await ring(world, owned, 2)
    await relayAll(world.deliveries)
    const others = await world.deliveries.fetch(10, [owned.webhook.id])
    t.deepEqual([...new Set(others.map(({ webhookId }) => webhookId))], [other.webhook.id])
    t.is((await world.deliveries.fetch(10, [other.webhook.id])).length, 2)
  })

  test.serial(`${name}: a retry is fetched when it is due and not before`, async (t) => {
    const { world, jobs } = await fetchedJobs(1)
    const [job] = jobs
    if (!job) throw new Error('the job is missing')
    const delayMs = 400
    const startMs = performance.now()
    await world.deliveries.settle([failure(job, world, delayMs)])
    let again: FetchedDelivery[] = []
    await until('the retry is due', async () => {
      again = await world.deliveries.fetch(10, [])
      return again.length > 0
    })
    // The database and this process use different clocks, so a millisecond is allowed for rounding.
    t.true(performance.now() - startMs >= delayMs - 1)
    t.like(again[0], { eventId: job.eventId, attempt: 2 })
    t.not(again[0]?.jobId, job.jobId)
  })

  test.serial(`${name}: a job given back, or held by a node that was killed, comes back once`, async (t) => {
    const { world, jobs } = await fetchedJobs(4)
    await world.deliveries.putBack(jobs.slice(0, 2))
    const again = await world.deliveries.fetch(10, [])
    t.deepEqual(
      again.map(({ eventId }) => eventId).toSorted(),
      jobs
        .slice(0, 2)
        .map(({ eventId }) => eventId)
        .toSorted(),
    )
    await world.expire()
    const back = await world.otherNode().fetch(10, [])
    t.deepEqual(back.map(({ eventId }) => eventId).toSorted(), jobs.map(({ eventId }) => eventId).toSorted())
    t.deepEqual(await world.otherNode().fetch(10, []), [])
  })

  test.serial(
    `${name}: a node killed between fetch and settling gives its own jobs back when it starts, and no other's`,
    async (t) => {
      const { world, owned, jobs } = await fetchedJobs(6)
      const [done] = jobs
      if (!done) throw new Error('the job is missing')
      await world.deliveries.settle([success(done, world)])
      await ring(world, owned, 2)
      await relayAll(world.deliveries)
      const others = await world.otherNode().fetch(1, [])
      t.is(others.length, 1)
      t.is((await world.deliveries.fetch(1, [])).length, 1)
      const { store, recovered } = await world.restart()
      t.is(recovered, 6)
      const back = await store.fetch(100, [])
      t.is(back.length, 6)
      t.false(back.some(({ eventId }) => eventId === done.eventId || eventId === others[0]?.eventId))
      t.true(back.every(({ attempt }) => attempt === 1))
      // Outcomes that the killed process still sends have no effect.
      await world.deliveries.settle(jobs.slice(1).map((job) => failure(job, world, 0)))
      t.deepEqual(await store.fetch(100, []), [])
      await store.settle(back.map((job) => success(job, world)))
      t.is((await world.restart()).recovered, 0)
    },
  )

  test.serial(
    `${name}: when two nodes hold an expired job, only one decides on its retry, and both attempts are logged`,
    async (t) => {
      const { world, owned, jobs } = await fetchedJobs(1)
      await world.expire()
      const other = world.otherNode()
      const taken = await other.fetch(10, [])
      const [mine, theirs] = [jobs[0], taken[0]]
      if (!mine || !theirs) throw new Error('a job is missing')
      await world.deliveries.settle([failure(mine, world, 0)])
      await other.settle([failure(theirs, world, 0)])
      t.is((await other.fetch(10, [])).length, 1)
      const logs = await world.stores.webhooks.logs(
        { tenantId: owned.tenantId, numberId: null },
        owned.webhook.id,
        SCOPE_PAGE,
      )
      t.is(logs?.length, 2)
    },
  )

  test.serial(
    `${name}: settling stores logs, health, retries and ends in few statements, whole or not at all`,
    async (t) => {
      const { world, owned, jobs } = await fetchedJobs(100)
      const scope = { tenantId: owned.tenantId, numberId: owned.number.id }
      const [first] = jobs
      if (!first) throw new Error('the jobs are missing')
      const broken = { ...success(first, world), log: logOf(first, world, { statusCode: Number.NaN }) }
      await t.throwsAsync(world.deliveries.settle([...jobs.slice(1).map((job) => success(job, world)), broken]))
      t.deepEqual(await world.stores.webhooks.logs(scope, owned.webhook.id, SCOPE_PAGE), [])
      t.is((await world.stores.webhooks.find(scope, owned.webhook.id))?.lastTriggered, null)
      const settled = jobs.map((job, i) => (i % 2 === 0 ? success(job, world) : failure(job, world, 0)))
      t.true((await world.statements(() => world.deliveries.settle(settled))) <= 5)
      t.is((await world.deliveries.fetch(200, [])).length, 50)
      t.is((await world.stores.webhooks.logs(scope, owned.webhook.id, SCOPE_PAGE))?.length, 50)
      t.deepEqual(
        (await world.stores.webhooks.find(scope, owned.webhook.id))?.lastTriggered,
        new Date(world.clock.now()),
      )
    },
  )

  test.serial(`${name}: bodies with bytes no column can keep are stored all the same`, async (t) => {
    const { world, owned, jobs } = await fetchedJobs(1)
    const [job] = jobs
    if (!job) throw new Error('the job is missing')
    const log = logOf(job, world, { response: 'a\0b\uD800c', payload: '{"x":"\\u0000"}' })
    await world.deliveries.settle([{ jobId: job.jobId, log, retry: null, disable: null }])
    const logs = await world.stores.webhooks.logs(
      { tenantId: owned.tenantId, numberId: null },
      owned.webhook.id,
      SCOPE_PAGE,
    )
    t.deepEqual(logs, [{ ...log, response: 'a\uFFFDb\uFFFDc' }])
    t.is(
      await world.stores.webhooks.loggedEvent({ tenantId: owned.tenantId, numberId: null }, owned.webhook.id, log.id),
      job.eventId,
    )
  })
}

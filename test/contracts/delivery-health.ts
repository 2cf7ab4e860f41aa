import type { TestFn } from 'ava'
import { newId, newIdAt } from '../../src/domain/ids.ts'
import type { DeliveryJob } from '../../src/ports/stores/delivery-store.ts'
import type { WebhookLogQuery } from '../../src/ports/stores/webhook-store.ts'
import { failure, hooked, logOf, matchAll, rung, success, type MakeDeliveryWorld } from './delivery-store.ts'
import { SECRET } from './webhook-store.ts'

const DAY_MS = 24 * 3600_000

/** Makes a world with a webhook whose first `count` deliveries are fetched. */
export async function fetchedBy(makeWorld: MakeDeliveryWorld, count: number) {
  const { world, owned } = await rung(makeWorld, count)
  await world.deliveries.relay(1000, matchAll)
  const jobs = await world.deliveries.fetch(count, [])
  const scope = { tenantId: owned.tenantId, numberId: owned.number.id }
  const target = async () => (await world.deliveries.load(jobs, true)).targets.get(owned.webhook.id)
  return { world, owned, jobs, scope, target }
}

/** What is loaded for a delivery, and how attempts change a webhook. */
export function deliveryHealthSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  const fetchedJobs = (count: number) => fetchedBy(makeWorld, count)

  test.serial(`${name}: queued deliveries of a paused, disabled or deleted webhook load to nothing`, async (t) => {
    const { world, owned, jobs, scope } = await fetchedJobs(2)
    const { webhooks } = world.stores
    const loaded = await world.deliveries.load(jobs)
    t.deepEqual([...loaded.targets.keys()], [owned.webhook.id])
    t.deepEqual([...loaded.events.keys()].toSorted(), jobs.map(({ eventId }) => eventId).toSorted())
    await webhooks.patch(scope, owned.webhook.id, { active: false })
    t.deepEqual([...(await world.deliveries.load(jobs)).targets], [])
    t.is((await world.deliveries.load(jobs, true)).targets.size, 1)
    await webhooks.patch(scope, owned.webhook.id, { active: true })
    t.is((await world.deliveries.load(jobs)).targets.size, 1)
    await webhooks.remove(scope, owned.webhook.id)
    t.deepEqual(await world.deliveries.load(jobs, true), { events: new Map(), targets: new Map() })
    // A delivery that is settled afterwards leaves no log behind.
    await world.deliveries.settle(jobs.map((job) => success(job, world)))
    t.false((await world.rawTable('webhook_logs')).includes(owned.webhook.id))
  })

  test.serial(
    `${name}: a job that names another tenant, or an event of another number, loads to nothing`,
    async (t) => {
      const { world, owned, jobs } = await fetchedJobs(1)
      const stranger = await hooked(world)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      const forged: DeliveryJob[] = [
        { ...job, tenantId: stranger.tenantId },
        { ...job, tenantId: stranger.tenantId, webhookId: owned.webhook.id },
      ]
      t.deepEqual(await world.deliveries.load(forged), { events: new Map(), targets: new Map() })
      const crossed = await world.deliveries.load([
        { ...job, webhookId: stranger.webhook.id, tenantId: stranger.tenantId },
      ])
      t.deepEqual([...crossed.events], [])
      const untold = await world.deliveries.load([{ ...job, eventId: newId('evt') }])
      t.deepEqual(
        [...untold.targets.keys()],
        [owned.webhook.id],
        'webhook.test is no stored event, and needs its target',
      )
    },
  )

  test.serial(`${name}: both secrets sign until the earlier one runs out`, async (t) => {
    const { world, owned, scope, target } = await fetchedJobs(1)
    const next = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    await world.stores.webhooks.rotateSecret(scope, owned.webhook.id, next, new Date(world.clock.now() + DAY_MS))
    t.deepEqual((await target())?.secrets, [next, SECRET])
    world.clock.advance(DAY_MS)
    t.deepEqual((await target())?.secrets, [next])
  })

  test.serial(`${name}: the run of failures begins with the first and ends with a success`, async (t) => {
    const { world, jobs, target, owned, scope } = await fetchedJobs(4)
    const [a, b, c, d] = jobs
    if (!a || !b || !c || !d) throw new Error('a job is missing')
    const beganAt = new Date(world.clock.now())
    await world.deliveries.settle([failure(a, world, 0)])
    world.clock.advance(1000)
    await world.deliveries.settle([failure(b, world, 0)])
    t.deepEqual((await target())?.failingSince, beganAt)
    const good = success(c, world)
    world.clock.advance(1000)
    await world.deliveries.settle([failure(d, world, 0), good])
    t.deepEqual((await target())?.failingSince, new Date(world.clock.now()))
    await world.deliveries.settle([{ jobId: null, log: logOf(a, world), retry: null, disable: null }])
    t.is((await target())?.failingSince, null, 'a test that succeeds ends it')
    await world.deliveries.settle([
      { jobId: null, log: logOf(a, world, { status: 'FAILED' }), retry: null, disable: null },
    ])
    t.is((await target())?.failingSince, null, 'a test that fails begins none')
    t.is(
      (
        await world.stores.webhooks.logs(scope, owned.webhook.id, {
          limit: 50,
          event: null,
          status: null,
          before: null,
        })
      )?.length,
      6,
    )
  })

  test.serial(
    `${name}: a webhook is disabled with its reason, and set free when it is switched on again`,
    async (t) => {
      const { world, owned, jobs, scope, target } = await fetchedJobs(2)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      world.clock.advance(1000)
      const disabledAt = new Date(world.clock.now())
      await world.deliveries.settle([{ ...failure(job, world, 0), retry: null, disable: 'GONE' }])
      t.like(await world.stores.webhooks.find(scope, owned.webhook.id), {
        active: false,
        disabledReason: 'GONE',
        updatedAt: disabledAt,
      })
      t.deepEqual([...(await world.deliveries.load(jobs)).targets], [])
      t.like(await world.stores.webhooks.patch(scope, owned.webhook.id, { active: true }), {
        active: true,
        disabledReason: null,
      })
      t.is((await target())?.failingSince, null)
    },
  )

  test.serial(`${name}: logs are newest first, of one event when asked, and only so many`, async (t) => {
    const { world, owned, jobs, scope } = await fetchedJobs(3)
    for (const job of jobs) {
      world.clock.advance(1000)
      await world.deliveries.settle([success(job, world)])
    }
    const page = { limit: 50, event: null, status: null, before: null }
    const logs = (await world.stores.webhooks.logs(scope, owned.webhook.id, page)) ?? []
    t.deepEqual(
      logs.map(({ eventId }) => eventId),
      jobs.map(({ eventId }) => eventId).toReversed(),
    )
    t.deepEqual((await world.stores.webhooks.logs(scope, owned.webhook.id, { ...page, limit: 2 }))?.length, 2)
    t.deepEqual(await world.stores.webhooks.logs(scope, owned.webhook.id, { ...page, event: 'call.ended' }), [])
  })

  test.serial(`${name}: pages of a log go on behind their last item, of one outcome when asked`, async (t) => {
    const { world, owned, jobs, scope } = await fetchedJobs(6)
    const stranger = await hooked(world)
    const logged = jobs.map((job, i) => logOf(job, world, { status: i % 2 === 0 ? 'SUCCESS' : 'FAILED' }))
    const foreign = logOf({ ...logged[0]!, tenantId: stranger.tenantId, webhookId: stranger.webhook.id }, world)
    // All of one moment, so that their ids alone tell pages apart.
    await world.deliveries.settle([...logged, foreign].map((log) => ({ jobId: null, log, retry: null, disable: null })))
    const newest = logged
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
    const read = async (fields: Partial<WebhookLogQuery>) =>
      (
        await world.stores.webhooks.logs(scope, owned.webhook.id, {
          limit: 2,
          event: null,
          status: null,
          before: null,
          ...fields,
        })
      )?.map(({ id }) => id)
    t.deepEqual(await read({}), newest.slice(0, 2))
    t.deepEqual(await read({ before: newest[1]! }), newest.slice(2, 4))
    t.deepEqual(await read({ before: newest[3]!, limit: 50 }), newest.slice(4))
    t.deepEqual(await read({ before: newest[5]! }), [])
    const failed = newest.filter((id) => logged.find((log) => log.id === id)?.status === 'FAILED')
    t.deepEqual(await read({ status: 'FAILED' }), failed.slice(0, 2))
    t.deepEqual(await read({ status: 'FAILED', before: failed[1]! }), failed.slice(2))
    t.is((await read({ status: 'SUCCESS', limit: 50 }))?.length, 3)
    for (const before of [foreign.id, newId('log')]) t.is(await read({ before }), undefined)
  })

  test.serial(`${name}: a log is found by its id, also one whose id was made when its try ended`, async (t) => {
    const { world, owned, jobs, scope } = await fetchedJobs(3)
    const now = world.clock.now()
    const logged = [0, 15_000, 86_400_000].map((afterMs, i) =>
      logOf(jobs[i]!, world, { id: newIdAt('log', now + afterMs) }),
    )
    await world.deliveries.settle(logged.map((log) => ({ jobId: null, log, retry: null, disable: null })))
    const found = await Promise.all(
      logged.map(({ id }) => world.stores.webhooks.loggedEvent(scope, owned.webhook.id, id)),
    )
    t.deepEqual(found.slice(0, 2), [logged[0]?.eventId, logged[1]?.eventId])
    t.is(await world.stores.webhooks.loggedEvent(scope, owned.webhook.id, 'log_1'), null)
  })

  test.serial(`${name}: a delivery enqueued anew goes out again with the same event`, async (t) => {
    const { world, jobs } = await fetchedJobs(1)
    const [job] = jobs
    if (!job) throw new Error('the job is missing')
    await world.deliveries.settle([success(job, world)])
    await world.deliveries.enqueue({
      eventId: job.eventId,
      webhookId: job.webhookId,
      tenantId: job.tenantId,
      attempt: 1,
    })
    t.like(await world.deliveries.fetch(10, []), [{ eventId: job.eventId, webhookId: job.webhookId, attempt: 1 }])
  })
}

import type { TestFn } from 'ava'
import { newId, type EventId } from '../../src/domain/ids.ts'
import type { Lead } from '../../src/domain/lead.ts'
import type { DeliveryJob } from '../../src/ports/stores/delivery-store.ts'
import { failure, hooked, logOf, matchAll, ring, success, type MakeDeliveryWorld } from './delivery-store.ts'
import { captured, leadRow, linked, rowsOf, stored, told, TRACES } from './lead-world.ts'
import { makeWebhook, newWebhook, SECRET } from './webhook-store.ts'
import { newNumber } from './world.ts'

const DAY_MS = 24 * 3600_000

/** What is loaded for a delivery, and how attempts change a webhook. */
export function deliveryHealthSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  async function fetchedJobs(count: number) {
    const world = await makeWorld()
    await world.clear()
    const owned = await hooked(world)
    await world.clear()
    await ring(world, owned, count)
    await world.deliveries.relay(1000, matchAll)
    const jobs = await world.deliveries.fetch(count, [])
    const scope = { tenantId: owned.tenantId, numberId: owned.number.id }
    const target = async () => (await world.deliveries.load(jobs, true)).targets.get(owned.webhook.id)
    return { world, owned, jobs, scope, target }
  }

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
    t.is((await world.stores.webhooks.logs(scope, owned.webhook.id, { limit: 50, event: null }))?.length, 6)
  })

  test.serial(
    `${name}: a webhook is disabled with its reason, and set free when it is switched on again`,
    async (t) => {
      const { world, owned, jobs, scope, target } = await fetchedJobs(2)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      await world.deliveries.settle([{ ...failure(job, world, 0), retry: null, disable: 'GONE' }])
      t.like(await world.stores.webhooks.find(scope, owned.webhook.id), { active: false, disabledReason: 'GONE' })
      t.deepEqual([...(await world.deliveries.load(jobs)).targets], [])
      t.like(await world.stores.webhooks.patch(scope, owned.webhook.id, { active: true }), {
        active: true,
        disabledReason: null,
      })
      t.is((await target())?.failingSince, null)
    },
  )

  test.serial(
    `${name}: of an erased lead no log keeps what was delivered, before or after, and what is delivered then says so`,
    async (t) => {
      const world = await makeWorld()
      const owned = await hooked(world)
      const one = await linked(world, {}, owned)
      const [lead, kept] = [
        await stored(world, captured(one.page), told()),
        await stored(world, captured(one.page), told()),
      ]
      const eventIdOf = async ({ id }: Lead) => String((await leadRow(world, id))['event_id']) as EventId
      const [eventId, keptId] = [await eventIdOf(lead), await eventIdOf(kept)]
      const deliver = async (of: EventId) => {
        const job: DeliveryJob = { eventId: of, webhookId: owned.webhook.id, tenantId: owned.tenantId, attempt: 1 }
        const log = logOf(job, world, {
          event: 'lead.received',
          payload: TRACES.join(),
          response: `thank you, ${TRACES.join()}`,
        })
        await world.deliveries.settle([{ jobId: null, log, retry: null, disable: null }])
        return (await world.deliveries.load([job])).events.get(of)?.data
      }
      const bodies = async () =>
        (await rowsOf(world, 'webhook_logs', 'webhook_id', owned.webhook.id))
          .filter((row) => row['event_id'] === eventId)
          .map((row) => [row['payload'], row['response'], row['status_code']])
      t.like(await deliver(eventId), { id: lead.id, fullName: 'Ada Lovelace' })
      t.true(await world.stores.leads.erase(owned.number.id, lead.id))
      t.deepEqual(await bodies(), [['', '', 200]])
      t.deepEqual(await deliver(eventId), { redacted: true })
      t.deepEqual(await bodies(), [
        ['', '', 200],
        ['', '', 200],
      ])
      t.like(await deliver(keptId), { fullName: 'Ada Lovelace' })
      t.like((await rowsOf(world, 'webhook_logs', 'event_id', keptId))[0], { payload: TRACES.join() })
    },
  )

  test.serial(`${name}: logs are newest first, of one event when asked, and only so many`, async (t) => {
    const { world, owned, jobs, scope } = await fetchedJobs(3)
    for (const job of jobs) {
      world.clock.advance(1000)
      await world.deliveries.settle([success(job, world)])
    }
    const page = { limit: 50, event: null }
    const logs = (await world.stores.webhooks.logs(scope, owned.webhook.id, page)) ?? []
    t.deepEqual(
      logs.map(({ eventId }) => eventId),
      jobs.map(({ eventId }) => eventId).toReversed(),
    )
    t.deepEqual((await world.stores.webhooks.logs(scope, owned.webhook.id, { ...page, limit: 2 }))?.length, 2)
    t.deepEqual(await world.stores.webhooks.logs(scope, owned.webhook.id, { ...page, event: 'call.ended' }), [])
  })

  test.serial(
    `${name}: purge takes logs and events after 30 days and bodies after the number's own window`,
    async (t) => {
      const { world, owned, jobs, scope } = await fetchedJobs(1)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      await world.deliveries.settle([success(job, world)])
      const page = { limit: 50, event: null }
      const bodies = async () =>
        (await world.stores.webhooks.logs(scope, owned.webhook.id, page))?.map(
          ({ payload, response }) => payload + response,
        )
      await world.stores.numbers.patch(owned.tenantId, owned.number.id, {
        piiMode: 'STORE_X_DAYS',
        piiRetentionDays: 7,
      })
      world.clock.advance(6 * DAY_MS)
      await world.deliveries.purge()
      t.deepEqual(await bodies(), ['{"a":1}ok'])
      world.clock.advance(2 * DAY_MS)
      await world.deliveries.purge()
      t.deepEqual(await bodies(), [''])
      const after = { tenantId: owned.tenantId, numberId: null }
      t.not((await world.stores.events.list(after, { limit: 10, after: null, event: null }))?.length, 0)
      world.clock.advance(23 * DAY_MS)
      await world.deliveries.purge()
      t.deepEqual(await bodies(), [])
      t.deepEqual(await world.stores.events.list(after, { limit: 10, after: null, event: null }), [])
    },
  )

  test.serial(
    `${name}: purge takes the logs of webhooks that are gone, however many have logs, and of no other`,
    async (t) => {
      const { world, owned, jobs, scope } = await fetchedJobs(1)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      const others = await Promise.all(
        Array.from({ length: 4 }, () => makeWebhook(world.stores.webhooks, newWebhook(owned))),
      )
      const ids = [owned.webhook.id, ...others.map(({ id }) => id)]
      await world.deliveries.settle(
        ids.flatMap((webhookId) =>
          [1, 2].map(() => ({ jobId: null, log: logOf({ ...job, webhookId }, world), retry: null, disable: null })),
        ),
      )
      const logged = () =>
        Promise.all(ids.map(async (id) => (await rowsOf(world, 'webhook_logs', 'webhook_id', id)).length))
      t.deepEqual(await logged(), [2, 2, 2, 2, 2])
      for (const id of [ids[0], ids[2], ids[4]])
        if (id !== undefined) t.true(await world.stores.webhooks.remove(scope, id))
      await world.deliveries.purge()
      t.deepEqual(await logged(), [0, 2, 0, 2, 0])
    },
  )

  test.serial(
    `${name}: purge empties what a number kept before it became RELAY_ONLY, and leaves others alone`,
    async (t) => {
      const { world, owned, jobs, scope } = await fetchedJobs(1)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      const made = await world.stores.numbers.create(newNumber(owned.tenantId))
      if (!made.ok) throw new Error('the second number could not be made')
      const other = await makeWebhook(
        world.stores.webhooks,
        newWebhook({ tenantId: owned.tenantId, number: made.value.number }),
      )
      const foreign = logOf({ ...job, webhookId: other.id }, world)
      await world.deliveries.settle([success(job, world), { jobId: null, log: foreign, retry: null, disable: null }])
      t.is(
        await world.stores.webhooks.loggedEvent(scope, owned.webhook.id, foreign.id),
        null,
        'a log is found under its own webhook only',
      )
      t.is(await world.stores.webhooks.loggedEvent(scope, other.id, foreign.id), null)
      await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
      await world.deliveries.purge()
      const page = { limit: 50, event: null }
      t.like(await world.stores.webhooks.logs(scope, owned.webhook.id, page), [
        { payload: '', response: '', statusCode: 200 },
      ])
      t.like(await world.stores.webhooks.logs({ tenantId: owned.tenantId, numberId: null }, other.id, page), [
        { payload: '{"a":1}', response: 'ok' },
      ])
    },
  )

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

import type { TestFn } from 'ava'
import { bodyOf } from '../../src/domain/envelope.ts'
import type { EventId } from '../../src/domain/ids.ts'
import type { Lead } from '../../src/domain/lead.ts'
import { BODY_DAYS, TOLD_DAYS } from '../../src/domain/limits.ts'
import type { DeliveryJob } from '../../src/ports/stores/delivery-store.ts'
import { fetchedBy } from './delivery-health.ts'
import { hooked, logOf, relayAll, ring, success, type MakeDeliveryWorld } from './delivery-store.ts'
import { captured, leadRow, linked, rowsOf, stored, told, TRACES } from './lead-world.ts'
import { makeWebhook, newWebhook, SECRET } from './webhook-store.ts'
import { callEvent, newCall, newNumber } from './world.ts'

const DAY_MS = 24 * 3600_000

/** What is delivered and logged for numbers, leads and webhooks that are gone, and after its time is over. */
export function deliveryEndSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  const fetchedJobs = (count: number) => fetchedBy(makeWorld, count)

  test.serial(
    `${name}: calls that end because their number is removed are still told to its webhooks, which are gone by then`,
    async (t) => {
      const world = await makeWorld()
      const owned = await hooked(world)
      await relayAll(world.deliveries)
      await world.clear()
      await world.stores.calls.insert(owned.fence, newCall(owned), [
        callEvent('call.ringing', {}),
        callEvent('call.ended', {}),
      ])
      t.true(await world.stores.numbers.remove(owned.tenantId, owned.number.id))
      t.is(await relayAll(world.deliveries), 2)
      const loaded = await world.deliveries.load(await world.deliveries.fetch(10, []))
      t.deepEqual([...loaded.events.values()].map(({ event }) => event).toSorted(), ['call.ended', 'number.removed'])
    },
  )

  test.serial(`${name}: number.removed is the last event of the webhooks that go with the number`, async (t) => {
    const world = await makeWorld()
    const owned = await hooked(world)
    await relayAll(world.deliveries)
    await world.clear()
    await ring(world, owned, 1)
    t.is(await relayAll(world.deliveries), 1)
    const [before] = await world.deliveries.fetch(10, [])
    t.truthy(before)
    t.true(await world.stores.numbers.remove(owned.tenantId, owned.number.id))
    t.is(await relayAll(world.deliveries), 1)
    const [last] = await world.deliveries.fetch(10, [])
    if (!before || !last) throw new Error('a job is missing')
    const loaded = await world.deliveries.load([before, last])
    t.deepEqual(
      [...loaded.events.values()].map(({ event }) => event),
      ['number.removed'],
    )
    t.like(loaded.targets.get(owned.webhook.id), { url: owned.webhook.url, secrets: [SECRET], piiMode: 'RELAY_ONLY' })
    t.deepEqual([...(await world.deliveries.load([before])).targets], [])
    t.deepEqual(await world.stores.webhooks.list({ tenantId: owned.tenantId, numberId: null }), [])
    world.clock.advance(6 * 24 * 3600_000)
    await world.deliveries.purge()
    t.false((await world.rawTable('webhooks')).includes(owned.webhook.id))
  })

  test.serial(
    `${name}: no log keeps the content of an erased lead, delivered before or after, and later deliveries say that it is erased`,
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

  test.serial(
    `${name}: purge takes logs and events after 30 days and bodies after the number's own window`,
    async (t) => {
      const { world, owned, jobs, scope } = await fetchedJobs(1)
      const [job] = jobs
      if (!job) throw new Error('the job is missing')
      await world.deliveries.settle([success(job, world)])
      const page = { limit: 50, event: null, status: null, before: null }
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

  // [operation.delivery-logs.1] [operation.files.7]
  test.serial(
    `${name}: a log without a body has that of its event, as long as the log is told and nothing withholds it`,
    async (t) => {
      const { world, owned, jobs, scope } = await fetchedJobs(2)
      const [job, other] = jobs
      if (!job || !other) throw new Error('a job is missing')
      const { events } = await world.deliveries.load([job])
      world.clock.advance(BODY_DAYS * DAY_MS - 1)
      const kept = logOf(other, world)
      await world.deliveries.settle([
        { jobId: job.jobId, log: { ...logOf(job, world), payload: null }, retry: null, disable: null },
        { jobId: other.jobId, log: kept, retry: null, disable: null },
      ])
      const page = { limit: 50, event: null, status: null, before: null }
      const payloads = async () => {
        const logs = await world.stores.webhooks.logs(scope, owned.webhook.id, page)
        return logs?.toSorted((a, b) => Number(a.id === kept.id) - Number(b.id === kept.id)).map((log) => log.payload)
      }
      const body = bodyOf(events.get(job.eventId)!)
      t.deepEqual(await payloads(), [body, '{"a":1}'])
      t.true(body.includes(job.eventId))

      world.clock.advance(TOLD_DAYS * DAY_MS)
      await world.deliveries.purge()
      t.deepEqual(await payloads(), [body, '{"a":1}'], 'the event stays as long as the log')
      await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
      await world.deliveries.purge()
      t.deepEqual(await payloads(), ['', ''])
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
      const page = { limit: 50, event: null, status: null, before: null }
      t.like(await world.stores.webhooks.logs(scope, owned.webhook.id, page), [
        { payload: '', response: '', statusCode: 200 },
      ])
      t.like(await world.stores.webhooks.logs({ tenantId: owned.tenantId, numberId: null }, other.id, page), [
        { payload: '{"a":1}', response: 'ok' },
      ])
    },
  )
}

import type { TestFn } from 'ava'
import type { TenantId } from '../../src/domain/ids.ts'
import { CHECKLIST_STEPS } from '../../src/domain/overview.ts'
import type { FetchedDelivery } from '../../src/ports/stores/delivery-store.ts'
import { fetchedBy } from './delivery-health.ts'
import { failure, hooked, matchAll, ring, success, type MakeDeliveryWorld } from './delivery-store.ts'
import { accepted, DAY_MS, received, sent } from './message-world.ts'
import { newWebhook } from './webhook-store.ts'
import { newCall, ownedNumber, secondNumber, type Owned, type World } from './world.ts'

/** The steps that a tenant is seen to have done. */
async function stepsOf({ stores }: World, { tenantId }: { readonly tenantId: TenantId }): Promise<string[]> {
  const { checklist } = await stores.overview.read(tenantId)
  return CHECKLIST_STEPS.filter((step) => checklist[step])
}

function mintOf({ tenantId, number, key }: Owned) {
  return {
    tenantId,
    keyId: key.id,
    surface: 'chat',
    numberIds: [number.id],
    allowedOrigins: ['https://shop.example'],
    branding: null,
    canStart: false,
    ttlSeconds: 900,
    maxAgeMs: 3_600_000,
  } as const
}

function firstOf(jobs: readonly FetchedDelivery[]): FetchedDelivery {
  const [job] = jobs
  if (!job) throw new Error('the job is missing')
  return job
}

/** How a tenant stands, told of rows that the other stores write. */
export function overviewSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  // [dashboard.routes.1]
  test.serial(
    `${name}: a tenant without anything has nothing to show, and another tenant's rows are not its own`,
    async (t) => {
      const { world, owned, jobs } = await fetchedBy(makeWorld, 2)
      await world.stores.numbers.saveConnection(owned.fence, { state: 'OPEN' }, [])
      await sent(world, owned, 'sent.1')
      await world.stores.branding.change(owned.tenantId, { companyName: 'Acme' })
      await world.stores.embedSessions.mint(mintOf(owned))
      await world.deliveries.settle(jobs.map((job, at) => (at === 0 ? success(job, world) : failure(job, world, 0))))
      const { tenantId } = await world.stores.tenants.create('Empty')
      t.deepEqual(await world.stores.overview.read(tenantId), {
        numbers: { OPEN: 0, CONNECTING: 0, CLOSE: 0 },
        checklist: {
          numberConnected: false,
          messageSent: false,
          callPlaced: false,
          webhookDelivered: false,
          brandingSet: false,
          embedMinted: false,
        },
        failing: [],
        liveCalls: 0,
      })
      t.deepEqual(await stepsOf(world, owned), [...CHECKLIST_STEPS])
    },
  )

  // [dashboard.routes.1]
  test.serial(`${name}: numbers are counted by state, and calls while they are live`, async (t) => {
    const world = await makeWorld()
    const first = await ownedNumber(world)
    const second = await secondNumber(world, first)
    const third = await secondNumber(world, first)
    await world.stores.numbers.saveConnection(first.fence, { state: 'OPEN' }, [])
    await world.stores.numbers.saveConnection(second.fence, { state: 'CONNECTING' }, [])
    const calls = [newCall(first), newCall(third, { status: 'RINGING' }), newCall(first, { status: 'COMPLETED' })]
    for (const call of calls)
      await world.stores.calls.insert(call.numberId === first.number.id ? first.fence : third.fence, call, [])
    t.like(await world.stores.overview.read(first.tenantId), {
      numbers: { OPEN: 1, CONNECTING: 1, CLOSE: 1 },
      liveCalls: 2,
    })
  })

  // [dashboard.overview.1]
  test.serial(`${name}: each step is done by what it names, not by what only looks like it`, async (t) => {
    const { world, owned, jobs } = await fetchedBy(makeWorld, 2)
    const other = await hooked(world)
    await world.stores.calls.insert(other.fence, newCall(other, { direction: 'INBOUND', status: 'RINGING' }), [])
    await received(world, other)
    await accepted(world, other)
    await world.stores.numbers.saveConnection(other.fence, { state: 'CONNECTING' }, [])
    await world.stores.branding.change(other.tenantId, { companyName: 'Acme' })
    await world.stores.branding.change(other.tenantId, { companyName: null })
    t.deepEqual(await stepsOf(world, other), [], 'received, queued, called, and a brand that was taken back')
    // Its calls rang, which the world placed.
    t.deepEqual(await stepsOf(world, owned), ['callPlaced'])
    await world.deliveries.settle([failure(firstOf(jobs), world, 0)])
    t.deepEqual(await stepsOf(world, owned), ['callPlaced'], 'a delivery failed')
    await world.deliveries.settle([success(firstOf(jobs.slice(1)), world)])
    t.deepEqual(await stepsOf(world, owned), ['callPlaced', 'webhookDelivered'])
    await world.stores.numbers.saveConnection(owned.fence, { state: 'CONNECTING', credentials: 'paired' }, [])
    t.deepEqual(await stepsOf(world, owned), ['numberConnected', 'callPlaced', 'webhookDelivered'])
  })

  // [dashboard.overview.1]
  test.serial(`${name}: a step that was seen done stays done when what it was seen by is gone`, async (t) => {
    const world = await makeWorld()
    const owned = await ownedNumber(world)
    await world.stores.embedSessions.mint(mintOf(owned))
    await sent(world, owned, 'sent.2')
    await world.stores.branding.change(owned.tenantId, { companyName: 'Acme' })
    await world.stores.numbers.saveConnection(owned.fence, { state: 'OPEN' }, [])
    const seen = ['numberConnected', 'messageSent', 'brandingSet', 'embedMinted']
    t.deepEqual(await stepsOf(world, owned), seen)
    await world.stores.branding.change(owned.tenantId, { companyName: null })
    await world.stores.numbers.remove(owned.tenantId, owned.number.id)
    t.deepEqual(await stepsOf(world, owned), seen)
    t.deepEqual(await stepsOf(world, owned), seen)
  })

  // [dashboard.overview.2]
  test.serial(
    `${name}: a webhook is told as failing from its first failure to its next success, with its failures of a day`,
    async (t) => {
      const { world, owned, jobs } = await fetchedBy(makeWorld, 4)
      const failing = async () => (await world.stores.overview.read(owned.tenantId)).failing
      const [first, second, third, last] = jobs
      if (!first || !second || !third || !last) throw new Error('a job is missing')
      t.deepEqual(await failing(), [])
      await world.deliveries.settle([failure(first, world, 0)])
      world.clock.advance(DAY_MS)
      await world.deliveries.settle([failure(second, world, 0)])
      t.deepEqual(await failing(), [{ webhookId: owned.webhook.id, failed24h: 2 }])
      world.clock.advance(1)
      t.deepEqual(await failing(), [{ webhookId: owned.webhook.id, failed24h: 1 }])
      await world.deliveries.settle([{ ...failure(third, world, 0), disable: 'FAILING', retry: null }])
      world.clock.advance(2 * DAY_MS)
      t.deepEqual(await failing(), [{ webhookId: owned.webhook.id, failed24h: 0 }], 'it was switched off')
      await world.stores.webhooks.patch({ tenantId: owned.tenantId, numberId: null }, owned.webhook.id, {
        active: true,
      })
      await world.deliveries.settle([success(last, world)])
      t.deepEqual(await failing(), [])
      t.deepEqual((await world.stores.overview.read((await hooked(world)).tenantId)).failing, [])
    },
  )

  // [dashboard.overview.2]
  test.serial(
    `${name}: of failing webhooks the one with most failures comes first, and a removed one is not told`,
    async (t) => {
      const world = await makeWorld()
      await world.clear()
      const owned = await hooked(world)
      const scope = { tenantId: owned.tenantId, numberId: null }
      const more = await hookedAgain(world, owned)
      const gone = await hookedAgain(world, owned)
      await world.clear()
      await ring(world, owned, 2)
      await world.deliveries.relay(1000, matchAll)
      const jobs = await world.deliveries.fetch(6, [])
      const once = jobs.find(({ webhookId }) => webhookId === owned.webhook.id)
      t.is(jobs.length, 6)
      await world.deliveries.settle(
        jobs
          .filter((job) => job === once || job.webhookId !== owned.webhook.id)
          .map((job) => ({ ...failure(job, world, 0), retry: null })),
      )
      await world.stores.webhooks.remove(scope, gone)
      t.deepEqual((await world.stores.overview.read(owned.tenantId)).failing, [
        { webhookId: more, failed24h: 2 },
        { webhookId: owned.webhook.id, failed24h: 1 },
      ])
    },
  )
}

async function hookedAgain(world: World, { tenantId, number }: Owned) {
  const made = await world.stores.webhooks.create(newWebhook({ tenantId, number }), 10)
  if (!made) throw new Error('the webhook was not made')
  return made.id
}

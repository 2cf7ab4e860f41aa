import type { TestFn } from 'ava'
import type { TenantId } from '../../src/domain/ids.ts'
import { reportOf } from '../../src/domain/usage-report.ts'
import { fetchedBy } from './delivery-health.ts'
import { failure, hooked, success, type MakeDeliveryWorld } from './delivery-store.ts'
import {
  accepted,
  DAY_MS,
  incoming,
  newClaim,
  newMessage,
  received,
  report,
  sent,
  threeNumbers,
} from './message-world.ts'
import { newCall, ownedNumber, type World } from './world.ts'

const dayAt = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

/** What a tenant used of all kinds since ever, by day or by number. */
async function usedBy(world: World, tenantId: TenantId, by: 'day' | 'numberId' = 'day') {
  return reportOf(await world.stores.usage.read(tenantId, { first: '2000-01-01', last: '2099-12-31', by }), by)
}

async function totalOf(world: World, tenantId: TenantId) {
  return (await usedBy(world, tenantId)).total
}

/** What numbers used, told of rows that the other stores write. */
export function usageSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  // [usage.objects.2] [usage.exact.1] [usage.scope.2]
  test.serial(
    `${name}: messages count once in the usage of their number and day, however often they come`,
    async (t) => {
      const world = await makeWorld()
      const [one, two, stranger] = await threeNumbers(world)
      const first = dayAt(world.clock.now())
      const message = await received(world, one)
      t.is(await world.stores.inbox.receive(one.fence, message), 'stale')
      await received(world, one, { type: 'image' })
      const written = newMessage(world, one)
      await Promise.all([1, 2].map(() => world.stores.messages.accept(written, newClaim({ ownerId: one.number.id }))))
      await received(world, stranger)
      world.clock.advance(DAY_MS)
      await accepted(world, two)
      const byDay = await usedBy(world, one.tenantId)
      t.deepEqual(
        byDay.items.map(({ of, usage }) => [of, usage.messages]),
        [
          [first, { inbound: 2, outbound: 1, byType: { image: 1, text: 2 } }],
          [dayAt(world.clock.now()), { inbound: 0, outbound: 1, byType: { text: 1 } }],
        ],
      )
      t.deepEqual(byDay.total.messages, { inbound: 2, outbound: 2, byType: { image: 1, text: 3 } })
      const byNumber = await usedBy(world, one.tenantId, 'numberId')
      t.deepEqual(
        byNumber.items.map(({ of, usage }) => [of, usage.messages.inbound + usage.messages.outbound]).toSorted(),
        [
          [one.number.id, 3],
          [two.number.id, 1],
        ].toSorted(),
      )
      t.deepEqual(byNumber.total, byDay.total)
      const ofDay = await world.stores.usage.read(one.tenantId, { first, last: first, by: 'day' })
      t.deepEqual(reportOf(ofDay, 'day').total.messages, { inbound: 2, outbound: 1, byType: { image: 1, text: 2 } })
    },
  )

  // [usage.exact.2]
  test.serial(`${name}: usage stays when its number is removed`, async (t) => {
    const world = await makeWorld()
    const owned = await ownedNumber(world)
    await received(world, owned)
    await world.stores.numbers.remove(owned.tenantId, owned.number.id)
    t.like(await totalOf(world, owned.tenantId), { messages: { inbound: 1 } })
  })

  // [usage.objects.3]
  test.serial(`${name}: a call counts once it has ended, with the seconds that it was answered`, async (t) => {
    const world = await makeWorld()
    const owned = await ownedNumber(world)
    const begun = dayAt(world.clock.now())
    const call = newCall(owned, { status: 'RINGING', direction: 'INBOUND' })
    await world.stores.calls.insert(owned.fence, call, [])
    await world.stores.calls.insert(owned.fence, newCall(owned, { status: 'FAILED' }), [])
    const calls = async () => (await totalOf(world, owned.tenantId)).calls
    t.deepEqual(await calls(), { inbound: 0, outbound: 1, seconds: 0 })
    world.clock.advance(DAY_MS)
    const end = {
      callId: call.id,
      from: ['RINGING', 'ACCEPTED'],
      to: 'COMPLETED',
      patch: { durationSeconds: 42 },
      events: [],
    } as const
    t.is(await world.stores.calls.transition(owned.fence, { ...end, to: 'ACCEPTED', patch: {} }), 'applied')
    t.deepEqual(await calls(), { inbound: 0, outbound: 1, seconds: 0 })
    t.is(await world.stores.calls.transition(owned.fence, end), 'applied')
    t.not(await world.stores.calls.transition(owned.fence, end), 'applied')
    t.deepEqual(await calls(), { inbound: 1, outbound: 1, seconds: 42 })
    t.deepEqual(
      (await usedBy(world, owned.tenantId)).items.map(({ of }) => of),
      [begun],
      'on the day on which they began',
    )
  })

  // [usage.objects.5]
  test.serial(`${name}: deliveries count their attempts, and once how they ended; tests count nothing`, async (t) => {
    const { world, owned, jobs } = await fetchedBy(makeWorld, 3)
    const [first, second, third] = jobs
    if (!first || !second || !third) throw new Error('a job is missing')
    await world.deliveries.settle([success(first, world), failure(second, world, 0)])
    await world.deliveries.settle([{ ...failure(third, world, 0), retry: null }])
    await world.deliveries.settle([{ ...success(first, world), jobId: null }])
    t.deepEqual((await totalOf(world, owned.tenantId)).deliveries, { succeeded: 1, failed: 1, attempts: 3 })
    const other = await hooked(world)
    t.deepEqual((await totalOf(world, other.tenantId)).deliveries, { succeeded: 0, failed: 0, attempts: 0 })
  })

  // [usage.objects.6]
  test.serial(`${name}: a message that upstream charges counts once, at the first price that it names`, async (t) => {
    const world = await makeWorld()
    const owned = await ownedNumber(world)
    await sent(world, owned, 'up.1')
    await sent(world, owned, 'up.2')
    const { inbox } = world.stores
    await inbox.report(owned.fence, report(world, 'SENT', { priceCategory: null }))
    for (const status of ['DELIVERED', 'DELIVERED', 'READ'] as const)
      await inbox.report(owned.fence, report(world, status, { priceCategory: 'MARKETING' }))
    await inbox.report(owned.fence, report(world, 'DELIVERED', { externalMessageId: 'up.2' }))
    t.deepEqual((await totalOf(world, owned.tenantId)).conversations, {
      MARKETING: 1,
      UTILITY: 0,
      AUTHENTICATION: 0,
      SERVICE: 0,
    })
  })

  // [usage.exact.1]
  test.serial(`${name}: many writes at once lose no count, and none waits in a circle`, async (t) => {
    const world = await makeWorld()
    const [one, two] = await threeNumbers(world)
    const types = ['text', 'image', 'audio', 'video'] as const
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const owned = at % 2 === 0 ? one : two
        const type = types[at % types.length] ?? 'text'
        if (at % 5 === 0) await accepted(world, owned, { type })
        else t.is(await world.stores.inbox.receive(owned.fence, incoming(world, owned, { type })), 'applied')
      }),
    )
    t.deepEqual((await totalOf(world, one.tenantId)).messages, {
      inbound: 160,
      outbound: 40,
      byType: { audio: 50, image: 50, text: 50, video: 50 },
    })
  })
}

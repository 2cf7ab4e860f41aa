import type { TestFn } from 'ava'
import { hooked, matchAll, success, type MakeDeliveryWorld } from './delivery-store.ts'
import { DAY_MS, received } from './message-world.ts'
import { callEvent, ownedNumber, storedEvents, type Owned, type World } from './world.ts'

async function tell(world: World, owned: Owned, content: string): Promise<void> {
  await received(world, owned, {
    events: [callEvent('message.received', { content }), callEvent('call.ringing', { about: content })],
  })
}

async function told(world: World, owned: Owned): Promise<unknown[]> {
  const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
  return events.filter(({ event }) => event !== 'number.created').map(({ data }) => data)
}

/** What a purge leaves of the events of messages. */
export function messageEventPurgeSuite(test: TestFn, name: string, makeWorld: MakeDeliveryWorld): void {
  test.serial(`${name}: under RELAY_ONLY the body of a message stays while its first try is made`, async (t) => {
    const world = await makeWorld()
    const owned = await hooked(world)
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
    await tell(world, owned, 'to be relayed')
    const { begun } = await world.deliveries.relay(1000, matchAll, (jobs) => new Set(jobs))
    const isStored = async () => (await world.rawTable('events')).includes('{\\"content\\":\\"to be relayed\\"}')
    await world.deliveries.purge()
    t.true(await isStored())
    await world.deliveries.settle(begun.map((job) => success(job, world)))
    await world.deliveries.purge()
    t.false(await isStored())
  })

  test.serial(
    `${name}: under RELAY_ONLY the body of a message goes once it is delivered, and not before`,
    async (t) => {
      const world = await makeWorld()
      const owned = await hooked(world)
      const other = await ownedNumber(world)
      await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'RELAY_ONLY' })
      await tell(world, owned, 'to be relayed')
      await tell(world, other, 'to be kept')
      const isStored = async () => (await world.rawTable('events')).includes('{\\"content\\":\\"to be relayed\\"}')
      await world.deliveries.purge()
      t.true(await isStored(), 'it waits in the outbox')
      await world.deliveries.relay(1000, matchAll)
      await world.deliveries.purge()
      t.true(await isStored(), 'it waits in the queue')
      const jobs = await world.deliveries.fetch(10, [])
      await world.deliveries.purge()
      t.true(await isStored(), 'it is under way')
      const { events } = await world.deliveries.load(jobs)
      t.true(
        [...events.values()].some(({ data }) => data['content'] === 'to be relayed'),
        'what is withheld from reads is delivered',
      )
      await world.deliveries.settle(jobs.map((job) => success(job, world)))
      await world.deliveries.purge()
      t.false(await isStored())
      t.deepEqual(await told(world, owned), [{ redacted: true }, { about: 'to be relayed' }])
      t.deepEqual(await told(world, other), [{ content: 'to be kept' }, { about: 'to be kept' }])
      t.false(
        [...(await world.deliveries.load(jobs)).events.values()].some(({ event }) => event === 'message.received'),
        'an emptied event is not delivered again',
      )
    },
  )

  test.serial(`${name}: under STORE_X_DAYS bodies of messages go at the end of the window`, async (t) => {
    const world = await makeWorld()
    const owned = await ownedNumber(world)
    await world.stores.numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 })
    await tell(world, owned, 'for three days')
    await world.deliveries.relay(1000, matchAll)
    const isStored = async () => (await world.rawTable('events')).includes('{\\"content\\":\\"for three days\\"}')
    world.clock.advance(3 * DAY_MS - 60_000)
    await world.deliveries.purge()
    t.true(await isStored())
    world.clock.advance(120_000)
    await world.deliveries.purge()
    t.false(await isStored())
    t.deepEqual(await told(world, owned), [{ redacted: true }, { about: 'for three days' }])
  })
}

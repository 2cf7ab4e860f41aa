import test from 'ava'
import { deliveryEndSuite } from '../contracts/delivery-ends.ts'
import { deliveryAgainSuite } from '../contracts/delivery-again.ts'
import { deliveryBegunSuite } from '../contracts/delivery-begun.ts'
import { deliveryHealthSuite } from '../contracts/delivery-health.ts'
import { deliveryQueueSuite, deliveryRelaySuite, hooked, ring } from '../contracts/delivery-store.ts'
import { messageEventPurgeSuite } from '../contracts/message-event-purge.ts'
import { overviewSuite } from '../contracts/overview.ts'
import { usageSuite } from '../contracts/usage.ts'
import { storedEvents } from '../contracts/world.ts'
import { openTestPostgres } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { silentLog } from '../helpers/silent.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import { openEvents } from '../../src/storage/events/store.ts'
import { sharedDeliveries } from './deliveries.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('deliveries keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const { makeWorld, opened } = sharedDeliveries(test, () => openTestPostgres(url))
  deliveryRelaySuite(test, 'PostgreSQL', makeWorld)
  deliveryQueueSuite(test, 'PostgreSQL', makeWorld)
  deliveryBegunSuite(test, 'PostgreSQL', makeWorld)
  deliveryHealthSuite(test, 'PostgreSQL', makeWorld)
  deliveryAgainSuite(test, 'PostgreSQL', makeWorld)
  deliveryEndSuite(test, 'PostgreSQL', makeWorld)
  messageEventPurgeSuite(test, 'PostgreSQL', makeWorld)
  overviewSuite(test, 'PostgreSQL', makeWorld)
  usageSuite(test, 'PostgreSQL', makeWorld)

  test.serial('nodes started together make the queue once and share it', async (t) => {
    const { database, schema, close } = await openTestPostgres(url)
    t.teardown(close)
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openJobs(database, silentLog)))
    t.teardown(async () => void (await Promise.all(nodes.map((node) => node.close()))))
    t.deepEqual([...new Set(nodes.map(({ table }) => table.split('.')[0]))], [`${schema}_jobs`])
    const [first, ...others] = nodes
    await database.transaction(async (session) =>
      first?.insert(
        session,
        Array.from({ length: 9 }, (_, n) => ({ group: 'g', data: { n }, delayMs: 0 })),
      ),
    )
    const fetched = await Promise.all(
      others.map((node) => database.transaction((session) => node.fetch(session, 3, []))),
    )
    t.is(new Set(fetched.flat().map(({ id }) => id)).size, 9)
  })

  test.serial('events of a restored dump are read, in their order', async (t) => {
    const { database } = opened()
    const world = await makeWorld()
    const owned = await hooked(world)
    await ring(world, owned, 3)
    const read = () =>
      openEvents({ database, clock: world.clock }).events.list(
        { tenantId: owned.tenantId, numberId: null },
        { limit: 10, after: null, event: null },
      )
    const before = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: null })
    t.is(before.length, 4)
    await database.query(`update events set xid = (9000000000000 - position)::text::xid8`)
    t.deepEqual(await read(), [], 'as after a restore on a server that has seen fewer transactions')
    await world.restart()
    t.deepEqual(
      (await read())?.map(({ id }) => id),
      before.map(({ id }) => id),
    )
  })
}

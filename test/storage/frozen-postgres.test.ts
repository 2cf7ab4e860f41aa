import { tmpdir } from 'node:os'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import { fenceCte } from '../../src/storage/engine/fence.ts'
import type { SqlSession } from '../../src/storage/engine/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { openEvents } from '../../src/storage/events/store.ts'
import { leasesOver, worldsOver } from '../contracts/sql-worlds.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestPostgres } from '../helpers/database.ts'
import { silentLog } from '../helpers/silent.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until, within } from '../helpers/until.ts'
import { systemClock } from '../../src/process/clock.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('a transaction that is left open holds nobody up (TEST_DATABASE_URL is not set)', () => {})
} else {
  const boundOf = async (session: SqlSession) =>
    (await session.query<Record<string, string>>('show idle_in_transaction_session_timeout'))[0]?.[
      'idle_in_transaction_session_timeout'
    ]

  // [nodes.placement.6]
  test('a node that does not run inside a transaction keeps no number and no event: it is undone while others go on, and the node is told', async (t) => {
    const { database: frozen, schema, close } = await openTestPostgres(url)
    t.teardown(close)
    const other = await openDatabase({
      databaseUrl: url,
      dataDir: tmpdir(),
      schema,
      log: silentLog,
      clock: systemClock,
    })
    t.teardown(() => other.close())
    const world = worldsOver(() => frozen)()
    const { number, fence, tenantId } = await ownedNumber(world)
    // The row keeps the token, so the next node can take it at once.
    await world.leases().release(fence)
    const insert = `insert into events (id, tenant_id, number_id, event, data, created_at) values ($1, $2, $3, 'call.ringing', '{}', now())`
    const [undone, told] = [newId('evt'), newId('evt')]
    const [isOpen, wakes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const left = frozen.transaction(async (session) => {
      await session.query(`with ${fenceCte('$1', '$2')} select 1 from fence`, [fence.numberId, fence.token])
      await session.query(insert, [undone, tenantId, number.id])
      isOpen.resolve()
      await wakes.promise
      await session.query('select 1')
    })
    const isTold = t.throwsAsync(left, { instanceOf: StoreAway, message: /cannot be reached/ })
    await within('the transaction has written', isOpen.promise)

    // A statement that waits for the row of the lease is answered before its own bound.
    const taken = await leasesOver(() => other)('two').acquire(number.id)
    t.is(taken?.token, fence.token + 1)
    await other.query(insert, [told, tenantId, number.id])
    const { events } = openEvents({ database: other, clock: world.clock })
    await until('the event is told', async () => {
      const page = await events.list({ tenantId, numberId: number.id }, { limit: 10, after: null, event: null })
      return page?.some(({ id }) => id === told)
    })
    wakes.resolve()
    await isTold
    t.deepEqual(await frozen.query('select 1 as one'), [{ one: 1 }], 'it goes on, on another connection')
    t.deepEqual(await frozen.query('select id from events where id = any($1::text[])', [[undone, told]]), [
      { id: told },
    ])
  })

  // [nodes.placement.6]
  test('transactions of requests, of chores and of migrations are all bounded', async (t) => {
    const { database, close } = await openTestPostgres(url)
    t.teardown(close)
    t.is(await boundOf(database), '4s', 'a connection that migrated')
    t.is(await database.transaction(boundOf), '4s')
    t.is(await database.transaction(boundOf, 'chore'), '4s')
    t.is(await database.unitOfWork(null, (_, session) => boundOf(session)), '4s')
  })
}

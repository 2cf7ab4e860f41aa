import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import test from 'ava'
import { MIGRATIONS } from '../../migrations/list.ts'
import { newId } from '../../src/domain/ids.ts'
import { fenceCte } from '../../src/storage/engine/fence.ts'
import { keptStatement } from '../../src/storage/engine/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { openEvents } from '../../src/storage/events/store.ts'
import { databaseSuite } from '../contracts/database.ts'
import { unitSuite } from '../contracts/units.ts'
import { entitySuite } from '../contracts/entities.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('PostgreSQL behaves as the stores need (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  databaseSuite(test, 'PostgreSQL', database)
  unitSuite(test, 'PostgreSQL', database)
  entitySuite(test, 'PostgreSQL', database)

  test('nodes started together on an empty database migrate it once', async (t) => {
    const schema = `test_${randomBytes(6).toString('hex')}`
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () =>
        openDatabase({ databaseUrl: url, dataDir: tmpdir(), schema, poolSize: 2, log: silentLog, clock: systemClock }),
      ),
    )
    t.teardown(async () => {
      await nodes[0]?.query(`drop schema "${schema}" cascade`)
      for (const node of nodes) await node.close()
    })
    t.is(nodes.filter(({ isNew }) => isNew).length, 1, 'one of them made the tables')
    for (const node of nodes) {
      t.deepEqual(
        await node.query('select name from schema_migrations order by id'),
        MIGRATIONS.map(({ name }) => ({ name })),
      )
      t.deepEqual(await node.query('select count(*)::integer as count from calls'), [{ count: 0 }])
    }
  })

  test('a kept statement is parsed once a connection, and runs where none is kept, as behind a pooler', async (t) => {
    const opened = await openTestPostgres(url)
    t.teardown(() => opened.close())
    const sum = keptStatement('select $1::integer + 1 as sum')
    const kept = "select name from pg_prepared_statements where name like 'kept%'"
    // One after the other, so that both use the same connection.
    for (const n of [1, 2]) t.deepEqual(await opened.database.queryKept(sum, [n]), [{ sum: n + 1 }])
    t.deepEqual(await opened.database.query(kept), [{ name: sum.name }])
    await opened.database.script('deallocate all')
    for (const n of [3, 4]) t.deepEqual(await opened.database.queryKept(sum, [n]), [{ sum: n + 1 }])
    t.deepEqual(await opened.database.query(kept), [])
  })

  test('a taker waits for a fenced write under way, so it reads what the last owner stored', async (t) => {
    const world = worldsOver(database)()
    const { number, fence } = await ownedNumber(world)
    const steps: string[] = []
    // Bound outside the transaction, because the database would otherwise run it inside.
    const take = AsyncResource.bind(() =>
      world
        .leases()
        .acquire(number.id)
        .then(() => steps.push('taken')),
    )
    const countWaiting = AsyncResource.bind(() =>
      database().query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and query like '%number_leases as lease%' and pid <> pg_backend_pid()`,
      ),
    )
    let taking: Promise<unknown> = Promise.resolve()
    await database().transaction(async (session) => {
      const rows = await session.query(`with ${fenceCte('$1', '$2')} select 1 from fence`, [
        fence.numberId,
        fence.token,
      ])
      t.is(rows.length, 1)
      taking = take()
      await until('the taker waits for the lock', async () => {
        const waiting = await countWaiting()
        return (waiting[0]?.count ?? 0) > 0
      })
      steps.push('committing')
    })
    await taking
    t.deepEqual(steps, ['committing', 'taken'])
  })

  test('a reader of events neither waits for a slow writer nor ever goes past what it commits later', async (t) => {
    const world = worldsOver(database)()
    const owned = await ownedNumber(world)
    const { events } = openEvents({ database: database(), clock: world.clock })
    const scope = { tenantId: owned.tenantId, numberId: owned.number.id }
    const first = await world.stores.events.list(scope, { limit: 10, after: null, event: null })
    const after = first?.at(-1)?.id ?? null
    const insert = `insert into events (id, tenant_id, number_id, event, data, created_at) values ($1, $2, $3, 'call.ringing', '{}', now())`
    const slow = [newId('evt'), newId('evt')] as const
    const fast = newId('evt')
    const writeMeanwhile = AsyncResource.bind(() => database().query(insert, [fast, owned.tenantId, owned.number.id]))
    const read = AsyncResource.bind(() => events.list(scope, { limit: 10, after, event: null }))
    await database().transaction(async (session) => {
      await session.query(insert, [slow[0], owned.tenantId, owned.number.id])
      await writeMeanwhile()
      t.deepEqual(await read(), [], 'the quick event is committed, and held back')
      await session.query(insert, [slow[1], owned.tenantId, owned.number.id])
    })
    const later = await world.stores.events.list(scope, { limit: 10, after, event: null })
    t.deepEqual(
      later?.map(({ id }) => id),
      [...slow, fast],
    )
  })
}

import { randomInt } from 'node:crypto'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { StoreAway } from '../../src/domain/store-away.ts'
import { TenantEntity } from '../../src/storage/tenants/entity.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { PROBE_MS, PROBE_PAUSE_MS, STATEMENT_MS } from '../../src/storage/engine/patience.ts'
import { openTestPostgres } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { openDatabaseProxy } from '../helpers/database-proxy.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('a PostgreSQL that goes away is missed and found again (TEST_DATABASE_URL is not set)', () => {})
} else {
  const open = async (t: ExecutionContext) => {
    const proxy = await openDatabaseProxy(url)
    const clock = new FakeClock()
    const { database, close } = await openTestPostgres(proxy.url, clock)
    t.teardown(async () => {
      proxy.set('forward')
      await untilBack(database, clock)
      await close()
      proxy.close()
    })
    await database.query('create table kept (value integer)')
    return { proxy, clock, database }
  }

  const untilBack = (database: Database, clock: FakeClock): Promise<unknown> =>
    until('the database is back', () => {
      clock.advance(PROBE_PAUSE_MS)
      return database.query('select 1').then(
        () => true,
        () => false,
      )
    })

  /** Every kind of request to a database, by name. */
  const asks = (database: Database): Record<string, () => Promise<unknown>> => ({
    query: () => database.query('select 1'),
    chores: () => database.chores.query('select 1'),
    script: () => database.script('select 1; select 2'),
    entities: () => database.entities().readOne(TenantEntity, {}),
    'unit of work': () => database.unitOfWork(null, (rows) => rows.readOne(TenantEntity, {})),
    transaction: () => database.transaction((session) => session.query('select 1')),
    'transaction of a chore': () => database.transaction((session) => session.query('select 1'), 'chore'),
  })

  test('every kind of request to a database that is gone is refused, and works when the database is back', async (t) => {
    const { proxy, clock, database } = await open(t)
    await database.query('insert into kept values (1)')
    proxy.set('refuse')
    for (const [name, ask] of Object.entries(asks(database)))
      await t.throwsAsync(ask(), { instanceOf: StoreAway }, name)
    proxy.set('forward')
    await untilBack(database, clock)
    for (const [name, ask] of Object.entries(asks(database))) await t.notThrowsAsync(ask(), name)
    t.deepEqual(await database.query('select value from kept'), [{ value: 1 }])
  })

  test('every kind of request to a hanging database is refused in time, at once after that, and works over new connections when it is back', async (t) => {
    const { proxy, clock, database } = await open(t)
    // After this, each kind has an open connection that works.
    await Promise.all(Object.values(asks(database)).map((ask) => ask()))
    proxy.set('hang')
    const asked = Object.entries(asks(database)).map(([name, ask]) =>
      t.throwsAsync(ask(), { instanceOf: StoreAway, message: /does not answer/ }, name),
    )
    const sleeping = t.throwsAsync(database.chores.query('select pg_sleep(60)'), { instanceOf: StoreAway })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(STATEMENT_MS)
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(PROBE_MS)
    await Promise.all(asked)
    await sleeping
    for (const [name, ask] of Object.entries(asks(database)))
      await t.throwsAsync(ask(), { instanceOf: StoreAway }, name)
    await until('every connection is cut', () => proxy.count() === 0)
    proxy.set('forward')
    await untilBack(database, clock)
    for (const [name, ask] of Object.entries(asks(database))) await t.notThrowsAsync(ask(), name)
  })

  test('connections that the server ended are replaced', async (t) => {
    const { database } = await open(t)
    await Promise.all(Array.from({ length: 6 }, () => database.query('select pg_sleep(0.01)')))
    await t.throwsAsync(database.query('select pg_terminate_backend(pg_backend_pid())'), { instanceOf: StoreAway })
    await until('it is asked again', () =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
    )
    for (const [name, ask] of Object.entries(asks(database))) await t.notThrowsAsync(ask(), name)
  })

  test('a statement of a request is ended by the server in time, and one of recurring work has longer', async (t) => {
    const { database } = await open(t)
    const bound = async (session: Pick<Database, 'query'>) =>
      (await session.query<{ statement_timeout: string }>('show statement_timeout'))[0]?.statement_timeout
    t.is(await bound(database), '4500ms')
    t.is(await bound(database.chores), '599500ms')
    t.is(await bound(database), '4500ms')
    t.is(await database.transaction((session) => bound(session as Database)), '4500ms')
    t.is(await database.transaction((session) => bound(session as Database), 'chore'), '599500ms')
    t.is(await database.unitOfWork(null, (_, session) => bound(session as Database)), '4500ms')
  })

  test('on a machine with too much to do the server gives statements as much longer as the gateway does', async (t) => {
    const { database, close } = await openTestPostgres(url, new FakeClock(), 30)
    t.teardown(close)
    t.deepEqual(await database.query('show statement_timeout'), [{ statement_timeout: '135s' }])
  })

  test('a statement that waits too long for a lock is refused, and the connection goes on', async (t) => {
    const { database } = await open(t)
    // An advisory lock, because a transaction that writes a row would hold back the events of other tests.
    const lock = 'select pg_advisory_xact_lock($1::integer)'
    const key = [randomInt(2 ** 31)]
    await database.transaction(async (session) => {
      await session.query(lock, key)
      const asked = t.throwsAsync(database.query(lock, key), { instanceOf: StoreAway, message: /too long/ })
      // A transaction without a statement would be ended first.
      await until('it is refused', async () => {
        await session.query('select pg_sleep(0.1)')
        return (await Promise.race([asked, null])) !== null
      })
    })
    await t.notThrowsAsync(database.query(lock, key))
  })

  test('a transaction whose connection breaks leaves nothing behind', async (t) => {
    const { proxy, clock, database } = await open(t)
    await t.throwsAsync(
      database.transaction(async (session) => {
        await session.query('insert into kept values (1)')
        proxy.set('refuse')
        await session.query('insert into kept values (2)')
      }),
      { instanceOf: StoreAway },
    )
    proxy.set('forward')
    await untilBack(database, clock)
    t.deepEqual(await database.query('select value from kept'), [])
  })
}

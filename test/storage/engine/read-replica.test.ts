import { tmpdir } from 'node:os'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { newId, type EventId, type TenantId } from '../../../src/domain/ids.ts'
import type { Log } from '../../../src/ports/log.ts'
import { createMetrics } from '../../../src/process/metrics.ts'
import type { Database } from '../../../src/storage/engine/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { openEvents } from '../../../src/storage/events/store.ts'
import { openDatabaseProxy } from '../../helpers/database-proxy.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { makeDatabase } from '../../helpers/service.ts'
import { silentLog } from '../../helpers/silent.ts'
import { startStandby } from '../../helpers/standby.ts'
import { until } from '../../helpers/until.ts'

const WHERE = `select current_setting('port') as port`

/** A database with a replica. It checks the replica when the test moves the clock. */
async function openWith(databaseUrl: string, readUrl: string) {
  const [clock, metrics] = [new FakeClock(Date.now()), createMetrics()]
  const told: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (_, text) => void told.push(`warn ${text}`),
    info: (_, text) => void told.push(`info ${text}`),
  }
  const database = await openDatabase({ databaseUrl, readUrl, dataDir: tmpdir(), poolSize: 3, log, clock, metrics })
  return {
    database,
    clock,
    told,
    async reads(from: 'replica' | 'primary'): Promise<number> {
      return Number(new RegExp(`database_list_reads_total{from="${from}"} (\\d+)`).exec(await metrics.text())?.[1] ?? 0)
    },
    async lag(): Promise<number> {
      return Number(/database_replica_lag_seconds (-?[\d.]+)/.exec(await metrics.text())?.[1])
    },
  }
}

type Opened = Awaited<ReturnType<typeof openWith>>

/** Lets the replica be checked until lists are read from it, or from the primary. */
async function untilReadFrom(opened: Opened, from: 'replica' | 'primary'): Promise<void> {
  await until(`lists are read from the ${from}`, async () => {
    opened.clock.advance(1_000)
    const before = await opened.reads(from)
    await opened.database.lists.query('select 1')
    return (await opened.reads(from)) > before
  })
}

async function storeEvent(database: Database, tenantId: TenantId, opened: Opened): Promise<EventId> {
  const id = newId('evt')
  await database.query(
    `insert into events (id, tenant_id, number_id, event, data, created_at) values ($1, $2, 'num_a', 'call.ringing', '{}', $3::timestamptz)`,
    [id, tenantId, new Date(opened.clock.now()).toISOString()],
  )
  return id
}

async function twoDatabases(t: ExecutionContext): Promise<{ readonly own: string; readonly other: string }> {
  const [own, other] = await Promise.all([makeDatabase(), makeDatabase()])
  if (own === null || other === null) throw new Error('there is no database')
  t.teardown(() => Promise.all([own.drop(), other.drop()]))
  return { own: own.url, other: other.url }
}

const declare = process.env['TEST_DATABASE_URL'] === undefined ? test.skip : test

// [configuration.variables.34] [configuration.variables.36]
declare('lists are read from the replica, everything else where it is written', async (t) => {
  const { own, other } = await twoDatabases(t)
  const opened = await openWith(own, other)
  t.teardown(() => opened.database.close())
  const { database } = opened
  const here = 'select current_database() as name'
  t.deepEqual(await database.lists.query(here), [{ name: new URL(other).pathname.slice(1) }])
  t.deepEqual(await database.lists.queryKept({ name: 'kept_here', sql: here }, []), [
    { name: new URL(other).pathname.slice(1) },
  ])
  t.deepEqual(await database.query(here), [{ name: new URL(own).pathname.slice(1) }])
  const error = await t.throwsAsync(database.lists.query('select nonsense'))
  t.like(error, { code: '42703' }, 'what is wrong with a statement is said by the primary')
  t.is(await opened.reads('replica'), 2)
  t.deepEqual(await database.lists.query('create table here (n integer) returning 1').catch(() => []), [])
  t.is(await opened.reads('replica'), 2, 'nothing is written there')
})

declare('a replica that is away costs one warning, and lists nothing', async (t) => {
  const { own, other } = await twoDatabases(t)
  const way = await openDatabaseProxy(other)
  const opened = await openWith(own, way.url)
  t.teardown(async () => {
    await opened.database.close()
    way.close()
  })
  const here = async () =>
    (await opened.database.lists.query<{ name: string }>('select current_database() as name'))[0]?.name
  t.is(await here(), new URL(other).pathname.slice(1))
  way.set('refuse')
  for (let n = 0; n < 3; n++) t.is(await here(), new URL(own).pathname.slice(1))
  await untilReadFrom(opened, 'primary')
  t.is(await opened.lag(), -1)
  way.set('forward')
  await untilReadFrom(opened, 'replica')
  t.is(await opened.lag(), 0)
  t.deepEqual(opened.told, [
    'warn the replica is away or behind; lists are read from the primary until it is back',
    'info the replica serves lists again',
  ])
})

declare('a service starts while its replica is away', async (t) => {
  const { own } = await twoDatabases(t)
  const opened = await openWith(own, 'postgres://postgres@127.0.0.1:9/none')
  t.teardown(() => opened.database.close())
  t.deepEqual(await opened.database.lists.query('select current_database() as name'), [
    { name: new URL(own).pathname.slice(1) },
  ])
  t.is(opened.told.length, 1)
})

test('when a standby is behind, lists are read from the primary, and delivered items are found', async (t) => {
  const servers = await startStandby()
  if (servers === null) {
    t.pass('there is no PostgreSQL to run here')
    return
  }
  t.teardown(() => servers.close())
  const opened = await openWith(servers.primaryUrl, servers.standbyUrl)
  t.teardown(() => opened.database.close())
  const control = new pg.Client({ connectionString: servers.standbyUrl })
  control.on('error', () => {})
  await control.connect()
  const { database } = opened
  const scope = { tenantId: newId('ten'), numberId: null }
  const { events } = openEvents({ database, clock: opened.clock })
  const listed = async (after: EventId | null = null) =>
    (await events.list(scope, { limit: 10, after, event: null }))?.map(({ id }) => id)
  const [primaryPort, standbyPort] = [servers.primaryUrl, servers.standbyUrl].map((url) => new URL(url).port)
  const first = await storeEvent(database, scope.tenantId, opened)
  await untilReadFrom(opened, 'replica')
  t.deepEqual(await database.lists.query(WHERE), [{ port: standbyPort }])
  await until('the standby has the event', async () => (await listed())?.[0] === first)

  await control.query('select pg_wal_replay_pause()')
  await until(
    'it has stopped',
    async () => (await control.query('select pg_get_wal_replay_pause_state() as state')).rows[0].state === 'paused',
  )
  const second = await storeEvent(database, scope.tenantId, opened)
  t.deepEqual(await database.lists.query(WHERE), [{ port: standbyPort }])
  t.deepEqual(await listed(), [first], 'a list may be a little behind')
  t.deepEqual(await listed(second), [], 'the event after which is asked is there, on the primary')
  await untilReadFrom(opened, 'primary')
  t.true((await opened.lag()) > 5)
  t.deepEqual(await database.lists.query(WHERE), [{ port: primaryPort }])
  t.deepEqual(await listed(), [first, second])

  await control.query('select pg_wal_replay_resume()')
  await untilReadFrom(opened, 'replica')
  await until('the standby has both', async () => (await listed())?.length === 2)
  await control.end()
  await servers.killStandby()
  t.deepEqual(await listed(), [first, second])
  t.deepEqual(await database.lists.query(WHERE), [{ port: primaryPort }])
  t.is(opened.told.filter((line) => line.startsWith('warn')).length, 2, 'once for each time')
})

import { AsyncResource } from 'node:async_hooks'
import { tmpdir } from 'node:os'
import test from 'ava'
import pg from 'pg'
import { statementsOf } from '../../../migrations/0023-months.ts'
import { newId, type EventId } from '../../../src/domain/ids.ts'
import { systemClock } from '../../../src/process/clock.ts'
import type { Database } from '../../../src/storage/engine/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { dropMonths, makeMonths } from '../../../src/storage/engine/partitions.ts'
import { AesCipher } from '../../../src/storage/engine/cipher.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { watched } from '../../contracts/message-pages.ts'
import { makeWebhook, newWebhook } from '../../contracts/webhook-store.ts'
import { ownedNumber } from '../../contracts/world.ts'
import { loadPostgres } from '../../fixtures/upgrade/load.ts'
import { openTestPglite, openTestPostgres } from '../../helpers/database.ts'
import type { DeliveryLogId } from '../../../src/domain/webhook.ts'
import { makeDatabase } from '../../helpers/service.ts'
import { silentLog } from '../../helpers/silent.ts'
import { TEST_DATABASE_URL } from '../../helpers/test-servers.ts'
import { until } from '../../helpers/until.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'

const DAY_MS = 86_400_000
/** Events on each side of the beginning of a month. */
const MANY = 20_000

/** SQL of an id of a log whose attempt began at `at`; `n` tells ids of one time apart. */
const LOG_ID = `'log_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((extract(epoch from at) * 1000)::bigint >> (45 - 5 * digit) & 31)::integer + 1, 1), '' order by digit) from generate_series(0, 9) digit)
  || lpad((n + 1000000)::text, 16, '0')`

type Row = Readonly<Record<string, unknown>>

/** The rows of a table without the columns that later migrations added. */
const asBefore =
  (before: readonly (readonly Row[])[]) =>
  (rows: readonly Row[], table: number): Row[] => {
    const columns = Object.keys(before[table]?.[0] ?? {})
    return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
  }

async function put(database: Pick<Database, 'query'>, at: Date): Promise<string> {
  const id = newId('evt')
  await database.query(
    `insert into events (id, tenant_id, number_id, event, data, created_at) values ($1, 'ten_a', 'num_a', 'call.ringing', '{}', $2::timestamptz)`,
    [id, at.toISOString()],
  )
  return id
}

/** The partition of each event, by id. */
async function placesOf(database: Pick<Database, 'query'>): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; place: string }>(
    'select id, tableoid::regclass::text as place from events order by position',
  )
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/** The primary keys of the partitions of logs, that of the earliest first. */
const LOG_KEYS = `select c.conrelid::regclass::text as part, pg_get_constraintdef(c.oid) as key from pg_inherits i
  join pg_constraint c on c.conrelid = i.inhrelid and c.contype = 'p' where i.inhparent = 'webhook_logs'::regclass order by c.conrelid::regclass::text not like '%before%'`

/** The indexes of events by tenant and by number, those of the time before the months first. */
const OWNER_INDEXES = `select i.inhrelid::regclass::text as part, substring(pg_get_indexdef(x.indexrelid) from 'btree (.*)$') as columns from pg_inherits i
  join pg_index x on x.indrelid = i.inhrelid and not x.indisunique and pg_get_indexdef(x.indexrelid) like '%btree%'
  where i.inhparent = 'events'::regclass order by i.inhrelid::regclass::text not like '%before%', 2`

/** The partition for times before the first month, and the time at which it ends. */
async function beforeMonths(
  database: Pick<Database, 'query'>,
): Promise<{ readonly name: string; readonly untilMs: number }> {
  const [row] = await database.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('events') and c.relname like '%before%'`,
  )
  const [, year, month] = /(\d{4})_(\d\d)$/.exec(row?.name ?? '') ?? []
  return { name: row?.name ?? '', untilMs: Date.UTC(Number(year), Number(month) - 1) }
}

// [growth.partitions.1]
test('the embedded database keeps plain tables', async (t) => {
  const { database, close } = await openTestPglite()
  t.teardown(close)
  t.is(await makeMonths(database, Date.now()), 0)
  const id = await put(database, new Date())
  t.deepEqual([...(await placesOf(database))], [[id, 'events']])
  t.deepEqual(await dropMonths(database, 'events', Date.now() + 400 * DAY_MS, 30), { dropped: 0, rest: 'events' })
})

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('PostgreSQL keeps events and logs by month (TEST_DATABASE_URL is not set)', () => {})
} else {
  async function open(): Promise<{ readonly database: Database; readonly close: () => Promise<void> }> {
    return openTestPostgres(url ?? '')
  }

  // [growth.partitions.1]
  test('events and logs are kept by month, and no other table is', async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    const tables = await database.query<{ name: string }>(
      'select c.relname as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid where pg_table_is_visible(c.oid) order by name',
    )
    t.deepEqual(
      tables.map(({ name }) => name),
      ['events', 'webhook_logs'],
    )
  })

  test('months are made ahead once, by however many nodes, and rows that came before their month go along', async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    const before = await beforeMonths(database)
    t.true(before.untilMs > Date.now() + 6 * DAY_MS, 'what is written now has its place')
    const [early, late, lost] = [
      await put(database, new Date()),
      await put(database, new Date(before.untilMs)),
      await put(database, new Date(before.untilMs + 400 * DAY_MS)),
    ]
    t.deepEqual(
      [...(await placesOf(database))],
      [
        [early, before.name],
        [late, 'events_default'],
        [lost, 'events_default'],
      ],
    )
    const made = await Promise.all(Array.from({ length: 3 }, () => makeMonths(database, before.untilMs)))
    t.true(
      made.some((count) => count === 4),
      'two months of two tables',
    )
    t.is(await makeMonths(database, before.untilMs), 0)
    const month = `events_${new Date(before.untilMs).toISOString().slice(0, 7).replace('-', '_')}`
    t.deepEqual(
      [...(await placesOf(database))],
      [
        [early, before.name],
        [late, month],
        [lost, 'events_default'],
      ],
    )
    const next = await put(database, new Date(before.untilMs + 35 * DAY_MS))
    t.regex((await placesOf(database)).get(next) ?? '', /^events_2\d\d\d_\d\d$/)
    await t.throwsAsync(
      database.query(
        `insert into events (id, tenant_id, number_id, event, data, created_at) select id, tenant_id, number_id, event, data, created_at from events where id = $1`,
        [late],
      ),
      { code: '23505' },
    )
  })

  // [growth.partitions.2]
  test('a month is dropped once all of its rows are past their time, and rows outside of all months are left to be deleted', async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    const { untilMs } = await beforeMonths(database)
    await makeMonths(database, untilMs)
    const [old, young] = [await put(database, new Date(untilMs - 1)), await put(database, new Date(untilMs))]
    const dueMs = untilMs + 30 * DAY_MS
    t.deepEqual(await dropMonths(database, 'events', dueMs - 1, 30), { dropped: 0, rest: 'events_default' })
    t.true((await placesOf(database)).has(old))
    t.deepEqual(await dropMonths(database, 'events', dueMs, 30), { dropped: 1, rest: 'events_default' })
    t.deepEqual([...(await placesOf(database)).keys()], [young])
    t.is(await makeMonths(database, untilMs), 0, 'the months that follow are there')
  })

  test('a month that is being read is dropped at a later turn, so that later readers do not wait', async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    const { untilMs } = await beforeMonths(database)
    const drop = AsyncResource.bind(() => dropMonths(database, 'events', untilMs + 30 * DAY_MS, 30))
    await database.transaction(async (session) => {
      await session.query('select count(*) from events')
      t.is((await drop()).dropped, 0)
    })
    t.is((await drop()).dropped, 1)
  })

  // [growth.indexes.1]
  test('a page of events or of logs is read along the indexes of the months, however much there is and whatever the planner knows of it', async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    const { untilMs } = await beforeMonths(database)
    await makeMonths(database, untilMs)
    const world = worldsOver(() => database)(untilMs)
    const { tenantId, number } = await ownedNumber(world)
    const { id: webhookId } = await makeWebhook(world.stores.webhooks, newWebhook({ tenantId, number }))
    // Events of the days around the beginning of the month. The planner's statistics are from before, when each number
    // had few events.
    const fill = async (
      whose: string,
      count: number,
      [tenant, numbers, webhook]: readonly [string, string, string],
    ): Promise<void> => {
      const spread = `select n, $1::timestamptz + n * (interval '20 days' / ${count}) as at from generate_series(${-count}, ${count}) n`
      await database.chores.query(
        `insert into events (id, tenant_id, number_id, event, data, created_at)
        select 'evt_' || $2 || n, ${tenant}, ${numbers}, 'call.ended', '{}', at from (${spread}) spread order by n`,
        [new Date(untilMs).toISOString(), whose],
      )
      await database.chores.query(
        `insert into webhook_logs select ${LOG_ID}, ${webhook}, 'evt_' || $2 || n, 'call.ended', 1, case when n % 500 = 0 then 'FAILED' else 'SUCCESS' end, 200, '{}', 'ok', 1, at from (${spread}) spread`,
        [new Date(untilMs).toISOString(), whose],
      )
    }
    await fill('others', 5_000, [`'ten_' || n`, `'num_' || n`, `'wh_' || n`])
    await database.chores.query('analyze events, webhook_logs')
    await fill('own', MANY, [`'${tenantId}'`, `'${number.id}'`, `'${webhookId}'`])
    const seen: number[] = []
    const stores = openStores({
      database: watched(database, seen),
      cipher: new AesCipher(Buffer.alloc(32)),
      clock: world.clock,
    })
    const scope = { tenantId, numberId: number.id }
    const readEvents = async (): Promise<void> => {
      for (const numberId of [number.id, null])
        for (const after of [null, 'evt_own-100', `evt_own${MANY / 2}`]) {
          const page = { limit: 50, after: after as EventId | null, event: null }
          // A reader waits until the transactions of other tests have ended.
          await until(
            'the page is full',
            async () => (await stores.events.list({ tenantId, numberId }, page))?.length === 50,
          )
        }
    }
    await readEvents()
    // A month from before migration 0056 has the ids themselves in its indexes.
    const { name: part } = await beforeMonths(database)
    for (const owner of ['tenant', 'number'])
      await database.chores.query(`create index ${part}_old_${owner} on ${part} (${owner}_id, xid, position)`)
    await database.chores.query(`drop index ${part}_tenant, ${part}_number`)
    await readEvents()
    const [half] = await database.chores.query<{ id: DeliveryLogId }>(
      'select id from webhook_logs where event_id = $1',
      [`evt_own${MANY / 2}`],
    )
    const before = half?.id ?? null
    t.not(before, null)
    const page = { limit: 50, event: null, status: null, before: null }
    t.is((await stores.webhooks.logs(scope, webhookId, page))?.length, 50)
    for (const status of [null, 'FAILED'] as const) {
      t.is((await stores.webhooks.logs(scope, webhookId, { ...page, status, before }))?.length, 50)
    }
    t.true(Math.max(...seen) < 150, `a statement looked at ${Math.max(...seen)} pages`)
  })

  test('rows of an earlier version stay, with their order, whether the migration ran at once or was interrupted', async (t) => {
    for (const done of [0, 1, 2, 3]) {
      const server = await makeDatabase()
      if (server === null) throw new Error('there is no database')
      await loadPostgres('0004', server.url, 'http://127.0.0.1:9')
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const read = async (table: string): Promise<Row[]> =>
        (
          await client.query<{ row: Row }>(`select to_jsonb(r) as row from ${table} r order by created_at, id`)
        ).rows.map(({ row }) => row)
      const before = await Promise.all(['events', 'webhook_logs'].map(read))
      for (const statement of statementsOf('events').slice(0, done)) await client.query(statement)
      const database = await openDatabase({
        databaseUrl: server.url,
        dataDir: tmpdir(),
        log: silentLog,
        clock: systemClock,
      })
      const after = await Promise.all(['events', 'webhook_logs'].map(read))
      t.deepEqual(after.map(asBefore(before)), before)
      t.true((before[0]?.length ?? 0) > 0)
      t.deepEqual(
        await database.query(
          `select relname, relkind::text as kind from pg_class where relname in ('events', 'webhook_logs') and relnamespace = 'public'::regnamespace order by 1`,
        ),
        [
          { relname: 'events', kind: 'p' },
          { relname: 'webhook_logs', kind: 'p' },
        ],
      )
      const id = await put(database, new Date())
      t.is([...(await placesOf(database)).keys()].at(-1), id, 'positions go on')
      const { untilMs } = await beforeMonths(database)
      await makeMonths(database, untilMs)
      const keys = await database.query<{ part: string; key: string }>(LOG_KEYS)
      t.deepEqual(
        [...new Set(keys.map(({ key }) => key))],
        ['PRIMARY KEY (id)', 'PRIMARY KEY (webhook_id, created_at, id)'],
      )
      const { name: events } = await beforeMonths(database)
      t.is(keys[0]?.part, events.replace('events', 'webhook_logs'), 'what has rows keeps its indexes')
      const ofOwners = await database.query<{ part: string; columns: string }>(OWNER_INDEXES)
      t.deepEqual(
        ofOwners.filter((index) => index.part === events).map(({ columns }) => columns),
        ['(number_id, xid, "position")', '(tenant_id, xid, "position")'],
      )
      t.deepEqual(
        [...new Set(ofOwners.filter((index) => index.part !== events).map(({ columns }) => columns))],
        [
          '(hashtextextended(number_id, (0)::bigint), xid, "position")',
          '(hashtextextended(tenant_id, (0)::bigint), xid, "position")',
        ],
      )
      await client.end()
      await database.close()
      await server.drop()
    }
  })
}

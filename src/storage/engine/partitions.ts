import type { Database, SqlSession } from './database.ts'

/**
 * Tables that only grow and whose rows all end at the same age. On PostgreSQL each has a partition for each month of
 * `created_at` (migration 0023), one for all rows before those, and one for times that have no month. Indexes and
 * unique ids are of each partition, because a unique index of the whole would have to hold the time.
 */
export const TABLES_BY_MONTH = ['events', 'webhook_logs'] as const
export type TableByMonth = (typeof TABLES_BY_MONTH)[number]

/**
 * Our choice: months made ahead of this one. Each partition costs a look whenever an id is looked for. A chore that
 * fails for weeks leaves rows in the default partition.
 */
const MONTHS_AHEAD = 1
/**
 * Our choice: a change of partitions that does not get its lock within this, ms, gives way and is tried again at its
 * next turn, because every statement behind it would wait.
 */
const LOCK_MS = 2_000
const DAY_MS = 86_400_000
/** SQLSTATE of a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Joined to a table by month when a page of it is read in the order of an index. When there are few rows the planner
 * sees no gain in the order, and reads and sorts every month: 390 ms for a page of 150,000 events instead of 3
 * (measured). It cannot tell how long the series is, expects a thousand of each row, and so goes along the indexes,
 * which end with the page.
 */
export const ALONG_INDEX = 'cross join generate_series(1, (select 1)) as once'

/** A partition with the times of its rows, ms; the rows before the months have `fromMs` -Infinity. */
interface Partition {
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

function isLate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

/** The beginning of the month (UTC) that is `ahead` months after that of `nowMs`. */
function monthStart(nowMs: number, ahead: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)
}

function monthOf(table: TableByMonth, fromMs: number): Partition {
  return {
    name: `${table}_${new Date(fromMs).toISOString().slice(0, 7).replace('-', '_')}`,
    fromMs,
    untilMs: monthStart(fromMs, 1),
  }
}

/** Reads the months from a partition's name, which only this file and the migration give. */
function toPartition(name: string): Partition | null {
  const [, before, year, month] = /^\w+?_(before_)?(\d{4})_(\d\d)$/.exec(name) ?? []
  if (year === undefined) return null
  const fromMs = Date.UTC(Number(year), Number(month) - 1)
  return before === undefined
    ? { name, fromMs, untilMs: monthStart(fromMs, 1) }
    : { name, fromMs: -Infinity, untilMs: fromMs }
}

/** Partitions of a table except its default one; null when the table is a plain one. */
async function partitionsOf(session: SqlSession, table: TableByMonth): Promise<Partition[] | null> {
  const rows = await session.query<{ name: string }>(
    'select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1)',
    [table],
  )
  return rows.length === 0 ? null : rows.flatMap(({ name }) => toPartition(name) ?? [])
}

/** Runs a change of a table's partitions, one node at a time. False when it did not get its locks. */
async function change(
  database: Database,
  table: TableByMonth,
  work: (session: SqlSession) => Promise<unknown>,
): Promise<boolean> {
  try {
    await database.transaction(async (session) => {
      await session.query(
        `select set_config('lock_timeout', '${LOCK_MS}', true), pg_advisory_xact_lock(hashtextextended('partitions of ' || $1::regclass::oid, 0))`,
        [table],
      )
      await work(session)
    }, 'chore')
    return true
  } catch (error) {
    if (isLate(error)) return false
    throw error
  }
}

/** Makes the partition of a month, and moves rows that came before it out of the default partition, which holds few. */
async function makeMonth(
  database: Database,
  table: TableByMonth,
  { name, fromMs, untilMs }: Partition,
): Promise<boolean> {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString())
  return change(database, table, async (session) => {
    if ((await partitionsOf(session, table))?.some((partition) => partition.name === name)) return
    await session.query(`lock table ${table}_default in access exclusive mode`)
    await session.query(
      `create table ${name} (like ${table}_default including defaults including storage including indexes)`,
    )
    await session.query(
      `with moved as (delete from ${table}_default where created_at >= $1::timestamptz and created_at < $2::timestamptz returning *)
      insert into ${name} select * from moved`,
      [from ?? '', until ?? ''],
    )
    await session.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${until}')`)
  })
}

/** Makes the missing partitions of this month and those ahead. Answers how many it made; a plain table needs none. */
export async function makeMonths(database: Database, nowMs: number): Promise<number> {
  let made = 0
  for (const table of TABLES_BY_MONTH) {
    const known = await partitionsOf(database.chores, table)
    if (known === null) continue
    const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(table, monthStart(nowMs, ahead)))
    for (const month of wanted) {
      const isThere = known.some(({ fromMs, untilMs }) => fromMs <= month.fromMs && month.untilMs <= untilMs)
      if (!isThere && (await makeMonth(database, table, month))) made += 1
    }
  }
  return made
}

/**
 * Drops the partitions of a table all of whose rows are older than `keepDays`. `rest` names the table that may still
 * hold rows of that age, which are to be deleted: the default partition, or a plain table itself.
 */
export async function dropMonths(
  database: Database,
  table: TableByMonth,
  nowMs: number,
  keepDays: number,
): Promise<{ readonly dropped: number; readonly rest: string }> {
  const known = await partitionsOf(database.chores, table)
  if (known === null) return { dropped: 0, rest: table }
  let dropped = 0
  for (const { name, untilMs } of known) {
    if (
      untilMs + keepDays * DAY_MS <= nowMs
      && (await change(database, table, (session) => session.query(`drop table if exists ${name}`)))
    )
      dropped += 1
  }
  return { dropped, rest: `${table}_default` }
}

import type { Database } from './engine/database.ts'

/**
 * SQL expressions by the name of the work. Each is true, or a time that is past, when there may be work of that name.
 * `$1` is the present by the node's clock.
 */
export type DueChecks = Readonly<Record<string, string>>

/**
 * Looks for waiting work, each by the first entry of an index, which is empty or far ahead in time when there is none.
 * A look may find work where there is none, and the chore then finds nothing, at its own pace; it never misses any.
 * Each is ordered on purpose: without an order PostgreSQL might read the whole of a table that was once full.
 */
export const ROWS_DUE: DueChecks = {
  events: '(select true from outbox order by position limit 1)',
  sends: '(select true from messages where due_at is not null order by number_id, batch_id, due_at, position limit 1)',
  changes: '(select true from inbound_changes where is_pending order by number_id, position limit 1)',
  accounts: '(select true from account_changes order by position limit 1)',
  recordings:
    '(select recording_due_at <= $1::timestamptz from calls where recording_due_at is not null order by recording_due_at limit 1)',
  errands: '(select due_at <= $1::timestamptz from number_errands order by due_at limit 1)',
  notices: '(select true from lead_notices order by page_id, due_at limit 1)',
  autoSends:
    '(select auto_send_due_at <= $1::timestamptz from leads where auto_send_due_at is not null order by auto_send_due_at limit 1)',
  backfills: '(select due_at <= $1::timestamptz from lead_backfills where due_at is not null order by due_at limit 1)',
  templates: '(select true from templates where ask is not null order by asked_until limit 1)',
  flows: '(select true from flows where ask is not null order by asked_until limit 1)',
  // A number that was handed over and is no longer paired needs no node.
  wanted: `(select true from number_leases lease join channel_numbers number on number.id = lease.number_id
    where lease.is_wanted and lease.node_id is null and number.sealed_credentials is not null limit 1)`,
}

/**
 * Looks for all waiting work in one statement, so that a node at rest asks the database next to nothing. Answers the
 * names of what may be waiting. Throws what the database throws.
 */
export async function lookForDue(
  database: Pick<Database, 'query'>,
  checks: DueChecks,
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const names = Object.keys(checks)
  const columns = names.map((name, place) => `coalesce(${checks[name]}, false) as d${place}`)
  const [row] = await database.query<Record<string, boolean>>(`select ${columns.join(', ')}`, [
    new Date(nowMs).toISOString(),
  ])
  return new Set(names.filter((_, place) => row?.[`d${place}`] === true))
}

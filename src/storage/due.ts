import type { Database } from './engine/database.ts'

/**
 * SQL expressions by the name of the work: true, or of a time that is past, where there may be some. `$1` is the
 * present by the node's clock.
 */
export type DueChecks = Readonly<Record<string, string>>

/**
 * What the rows tell of waiting work, each by the first entry of an index that is empty, or far ahead in time, where
 * there is none. Each says rather too much than too little: a chore then finds nothing, at its own pace. Ordered on
 * purpose: without an order a table that was once full might be read whole.
 */
export const ROWS_DUE: DueChecks = {
  events: '(select true from outbox order by position limit 1)',
  sends: '(select true from messages where due_at is not null order by number_id, due_at, position limit 1)',
  changes: '(select true from inbound_changes where is_pending order by number_id, position limit 1)',
  accounts: '(select true from account_changes order by position limit 1)',
  errands: '(select due_at <= $1::timestamptz from number_errands order by due_at limit 1)',
  notices: '(select true from lead_notices order by page_id, due_at limit 1)',
  autoSends:
    '(select auto_send_due_at <= $1::timestamptz from leads where auto_send_due_at is not null order by auto_send_due_at limit 1)',
  backfills: '(select due_at <= $1::timestamptz from lead_backfills where due_at is not null order by due_at limit 1)',
  templates: '(select true from templates where ask is not null order by asked_until limit 1)',
  flows: '(select true from flows where ask is not null order by asked_until limit 1)',
  // What was handed over and is paired no more wants nobody.
  wanted: `(select true from number_leases lease join channel_numbers number on number.id = lease.number_id
    where lease.is_wanted and lease.node_id is null and number.sealed_credentials is not null limit 1)`,
}

/**
 * Asks for all of it in one statement, so that a node at rest asks the database next to nothing. Answers the names of
 * what may be waiting. Throws what the database says.
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

import type { Database } from './database.ts'
import { despiteDeadlock } from './deadlock.ts'

/** What keeps rows for a time. */
export interface Purged {
  /** Ends what is past its time, a batch a statement, until nothing of it is left. Answers how many rows it took. */
  purge(): Promise<number>
}

/** Our choice: rows a statement of a purge takes at most, so that none holds the embedded database for long. */
export const PURGE_BATCH = 5_000

/** Repeats a statement that takes up to PURGE_BATCH rows until it finds less. The present is its `$1`, where it has one. */
export async function purgeRows(database: Database, sql: string, now: string): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await despiteDeadlock(() => database.chores.query(sql, sql.includes('$1') ? [now] : []))
    count += rows.length
    if (rows.length < PURGE_BATCH) return count
  }
}

/** The embedded database has no autovacuum: without this its busiest tables only grow. */
export async function vacuumEmbedded(database: Database, tables: readonly string[]): Promise<void> {
  if (database.kind !== 'pglite') return
  for (const table of tables) await database.chores.query(`vacuum (analyze) ${table}`)
}

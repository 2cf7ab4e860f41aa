import type { DatabaseSync, StatementSync } from 'node:sqlite'

const PREPARED = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** The prepared statement of a text. All numbers share it, because each one costs some kilobytes. */
export function statement(db: DatabaseSync, sql: string): StatementSync {
  const known = PREPARED.get(db) ?? new Map<string, StatementSync>()
  PREPARED.set(db, known)
  const prepared = known.get(sql) ?? db.prepare(sql)
  known.set(sql, prepared)
  return prepared
}

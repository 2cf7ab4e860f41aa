import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CHANGES, fieldOf, type Change, type Op } from '../changes.ts'
import type { Driver, KeyRow } from '../driver.ts'
import { HoldFault, soleHolds } from '../hold.ts'
import { QUERIES, type Query } from '../queries.ts'
import { statementOf } from '../statement.ts'

interface Prepared {
  readonly statement: StatementSync
  readonly fields: readonly string[]
}

/**
 * SQLite in a file that this process holds alone. Reads and commits block the process: an own disk answers sooner than
 * a turn of the event loop takes. All numbers share the statements, because each one costs some kilobytes.
 */
export function sqliteDriver(db: DatabaseSync): Driver {
  function prepare(sql: string): Prepared {
    const { text, fields } = statementOf(sql, () => '?')
    return { statement: db.prepare(text), fields }
  }
  const changes = Object.fromEntries(
    Object.entries(CHANGES).map(([op, statements]) => [op, statements.map(prepare)]),
  ) as unknown as Record<Op, readonly Prepared[]>
  const queries = Object.fromEntries(Object.entries(QUERIES).map(([query, sql]) => [query, prepare(sql)])) as Record<
    Query,
    Prepared
  >
  const key = db.prepare('select id, value from keys where number_id = ? and type = ? and id = ?')

  function apply(change: Change): number {
    let changed = 0
    for (const { statement, fields } of changes[change.op])
      changed = Number(statement.run(...fields.map((field) => fieldOf(change, field) ?? null)).changes)
    return changed
  }

  return {
    lanes: 1,
    holds: soleHolds(),
    // The functions are asynchronous for the port: what they throw is a rejection.
    async read(query, values) {
      const { statement, fields } = queries[query]
      return statement.all(...fields.map((field) => values[field] ?? null)) as never
    },
    async keys(type, ids, { numberId }) {
      return ids.flatMap((id) => (key.get(numberId, type, id) as unknown as KeyRow | undefined) ?? [])
    },
    async commit(all) {
      db.exec('begin immediate')
      try {
        const counts = all.map(apply)
        db.exec('commit')
        return counts
      } catch (error) {
        if (db.isTransaction) db.exec('rollback')
        throw faultOf(error)
      }
    },
    async close() {
      db.close()
    },
  }
}

/** SQLite's result codes for values: too big, constraint, mismatch, out of range. */
const FAULTS_OF_VALUES: ReadonlySet<number> = new Set([18, 19, 20, 25])

/** A fault of the values is the caller's. After any other, such as a full disk, the session has to begin anew. */
function faultOf(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return FAULTS_OF_VALUES.has(code) ? error : new HoldFault(error instanceof Error ? error.message : 'a commit failed')
}

import type { Database } from './database.ts'
import { despiteDeadlock } from './deadlock.ts'
import { columnOf } from './rows-of.ts'

/** A store that keeps rows for a time. */
export interface Purged {
  /** Deletes what is past its time, a batch a statement, until nothing is left. Answers how many rows it deleted. */
  purge(): Promise<number>
}

/** Our choice: most rows a statement of a purge deletes, so that none holds the embedded database for long. */
export const PURGE_BATCH = 5_000

/**
 * Repeats a statement that deletes up to PURGE_BATCH rows until it finds fewer. `$1` of the statement, where it has
 * one, is the present. Answers how many rows it deleted.
 */
export async function purgeRows(database: Database, sql: string, now: string): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await despiteDeadlock(() => database.chores.query(sql, sql.includes('$1') ? [now] : []))
    count += rows.length
    if (rows.length < PURGE_BATCH) return count
  }
}

/** A table as its entity describes it. */
export interface Table<Properties> {
  readonly tableName: string
  readonly properties: Properties
  readonly meta: { readonly properties: object }
}

export type NameOf<Properties> = keyof Properties & string

/** Joins the conditions that are given with `and`. */
export function conditions(...given: readonly (string | undefined)[]): string {
  return given.filter((one) => one !== undefined).join(' and ')
}

/** SQL of the key's columns, prefixed with the alias when one is given. */
export function keyOf({ meta }: Table<unknown>, alias?: string): string {
  const properties = Object.entries(meta.properties as Readonly<Record<string, { readonly primary?: boolean }>>)
  const columns = properties.flatMap(([name, { primary }]) => (primary === true ? [columnOf(name)] : []))
  return columns.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(', ')
}

/**
 * Deletes rows whose time is `untilMs` or earlier, a batch a statement; answers how many. When a row has several times,
 * the first that is not null counts. Rows for which `only` (SQL) is not true stay. The condition stands twice: the
 * second keeps a row that was written since it was found, and is phrased so that no index answers it, because rows are
 * found once and then deleted by key.
 */
export function purgePast<Properties>(
  database: Database,
  table: Table<Properties>,
  times: readonly NameOf<Properties>[],
  untilMs: number,
  only?: string,
): Promise<number> {
  const columns = times.map(columnOf).join(', ')
  const isPast = conditions(`${times.length === 1 ? columns : `coalesce(${columns})`} <= $1::timestamptz`, only)
  const key = keyOf(table)
  return purgeRows(
    database,
    `delete from ${table.tableName} where (${key}) in (
    select ${key} from ${table.tableName} where ${isPast} limit ${PURGE_BATCH}) and (${isPast}) is true returning 1`,
    new Date(untilMs).toISOString(),
  )
}

/** SQL that deletes the rows whose `owner` is `$1`, or those among them for which `only` (SQL) is true. */
export function removalOf<Properties>(
  { tableName }: Table<Properties>,
  owner: NameOf<Properties>,
  only?: string,
): string {
  return `delete from ${tableName} where ${conditions(`${columnOf(owner)} = $1`, only)}`
}

/** Vacuums tables of the embedded database, which has no autovacuum: its busiest tables would only grow. */
export async function vacuumEmbedded(database: Database, tables: readonly string[]): Promise<void> {
  if (database.kind !== 'pglite') return
  for (const table of tables) await database.chores.query(`vacuum (analyze) ${table}`)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { StartFault, type Config } from '../process/config.ts'
import { createSeal, type Seal } from '../store/seal.ts'
import { openDatabase, storeKey } from '../store/sqlite/database.ts'
import { statementOf } from '../store/statement.ts'
import { type Place, takenFault } from './place.ts'
import { anySealed, type SealedValue } from './rows.ts'
import type { Row, Table } from './tables.ts'

/** SQLite's results for a row whose place is taken: SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const TAKEN: readonly unknown[] = [1555, 2067]

/**
 * Takes the SQLite store of a folder, which no engine may hold meanwhile; `mayMake` when it need not be there yet.
 * Throws a StartFault that says what to do.
 */
export async function openSqlitePlace(
  { dataDir, key }: Pick<Config, 'dataDir' | 'key'>,
  mayMake: boolean,
): Promise<Place> {
  if (!mayMake && !existsSync(join(dataDir, 'engine.sqlite')))
    throw new StartFault(
      `ENGINE_DATA_DIR ${dataDir} holds no store (engine.sqlite): set it to the folder of the engine`,
    )
  const db = openDatabase(dataDir)
  try {
    // What left is not readable in the file either.
    db.exec('pragma secure_delete = on')
    const place = placeOver(db, dataDir)
    return { ...place, ...keyFor(dataDir, key, await anySealed(place)) }
  } catch (error) {
    db.close()
    throw error
  }
}

function placeOver(db: DatabaseSync, dataDir: string): Omit<Place, 'seal' | 'startWith'> {
  const prepared = new Map<string, { readonly statement: StatementSync; readonly fields: readonly string[] }>()

  function prepare(sql: string): { readonly statement: StatementSync; readonly fields: readonly string[] } {
    const { text, fields } = statementOf(sql, () => '?')
    const known = prepared.get(sql) ?? { statement: db.prepare(text), fields }
    prepared.set(sql, known)
    return known
  }

  return {
    kind: 'sqlite',
    name: `SQLite in ${dataDir}`,
    async run(sql, values = {}) {
      const { statement, fields } = prepare(sql)
      return statement.all(...fields.map((field) => values[field] ?? null)) as Row[]
    },
    async insert(table, numberId, rows) {
      const columns = Object.keys(table.columns)
      const insert = db.prepare(insertInto(table, columns))
      for (const row of rows) taken(table, () => insert.run(numberId, ...columns.map((column) => row[column] ?? null)))
    },
    // This process has the file alone.
    async hold() {},
    async free() {},
    async transaction(work) {
      db.exec('begin immediate')
      try {
        const result = await work()
        db.exec('commit')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('rollback')
        throw error
      }
    },
    async close() {
      db.close()
    },
  }
}

function insertInto({ name, onConflict }: Table, columns: readonly string[]): string {
  return `insert into ${name} (number_id, ${columns.join(', ')}) values (?, ${columns.map(() => '?').join(', ')}) ${onConflict}`
}

function taken({ name }: Table, insert: () => unknown): void {
  try {
    insert()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && TAKEN.includes(error.errcode)) throw takenFault(name)
    throw error
  }
}

/**
 * The key of a store is ENGINE_KEY, or the one beside it that was made while ENGINE_KEY was not set. `sealed` is a
 * value of the store, null when there is none.
 */
function keyFor(dataDir: string, given: Buffer | null, sealed: SealedValue | null): Pick<Place, 'seal' | 'startWith'> {
  const fits = (seal: Seal): boolean => sealed === null || opens(seal, sealed)
  const own = given && createSeal(given)
  if (own && fits(own)) return { seal: own, startWith: 'without ENGINE_DATABASE_URL, with this ENGINE_KEY' }
  const beside = given === null || existsSync(join(dataDir, 'engine.key')) ? createSeal(storeKey(dataDir, null)) : null
  if (beside && fits(beside))
    return { seal: beside, startWith: 'without ENGINE_DATABASE_URL and ENGINE_KEY, since engine.key seals that store' }
  throw new StartFault(
    `The store in ENGINE_DATA_DIR ${dataDir} was sealed with another key: set ENGINE_KEY to that key, or restore engine.key beside the store`,
  )
}

function opens(seal: Seal, { context, value }: SealedValue): boolean {
  try {
    seal.open(context, value)
    return true
  } catch {
    return false
  }
}

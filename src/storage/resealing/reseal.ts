import type { Cipher } from '../../ports/cipher.ts'
import type { ResealingStore, ResealPlace, ResealStep } from '../../ports/stores/resealing-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { toRecordset } from '../engine/rows.ts'
import { SEALED_COLUMNS } from './columns.ts'
import type { SealedColumn } from './columns.ts'

/** Our choice: rows that are resealed together; kept answers may have 100 KB each. */
const TOGETHER = 200

type Row = Readonly<Record<string, string>>

function selectOf({ table, column, key, beside = [] }: SealedColumn, isFirst: boolean): string {
  const names = Object.keys(key)
  const columns = [...names, ...beside].map((name) => `${name}::text as ${name}`)
  const after = isFirst
    ? ''
    : `and (${names.join(', ')}) > (${Object.values(key)
        .map((type, index) => `$${index + 1}::${type}`)
        .join(', ')})`
  return `select ${columns.join(', ')}, ${column} as sealed_now from ${table} where ${column} is not null ${after} order by ${names.join(', ')} limit ${TOGETHER}`
}

/** SQL that writes resealed texts. A row that was written meanwhile is sealed with the first key already, and stays. */
function updateOf({ table, column, key }: SealedColumn): string {
  const names = Object.keys(key)
  return `update ${table} t set ${column} = g.sealed_anew
    from json_to_recordset($1::json) as g (${names.map((name) => `${name} text`).join(', ')}, sealed_now text, sealed_anew text)
    where ${Object.entries(key)
      .map(([name, type]) => `t.${name} = g.${name}::${type}`)
      .join(' and ')} and t.${column} = g.sealed_now returning 1`
}

/** The text sealed anew; null when the first key sealed it already, false when none of the keys opens it. */
function anew(cipher: Cipher, sealed: string, context: string): string | false | null {
  if (cipher.isCurrent(sealed, context)) return null
  try {
    return cipher.seal(cipher.open(sealed, context), context)
  } catch {
    return false
  }
}

/** Reseals everything in the database with the first key of ENCRYPTION_KEY, some rows of a column at a time. */
class SqlResealing implements ResealingStore {
  readonly #database: SqlSession
  readonly #cipher: Cipher

  constructor({ database, cipher }: Pick<Engine, 'database' | 'cipher'>) {
    this.#database = database
    this.#cipher = cipher
  }

  async step({ column: index, after }: ResealPlace): Promise<ResealStep> {
    const column = SEALED_COLUMNS[index]
    if (!column) throw new Error('there is no such column')
    const rows = await this.#database.query<Row>(selectOf(column, after === null), after ?? [])
    const found = rows.map((row) => ({
      row,
      sealed: anew(this.#cipher, row['sealed_now'] ?? '', column.contextOf(row)),
    }))
    const changed = found.flatMap(({ row, sealed }) =>
      typeof sealed === 'string' ? [{ ...row, sealed_anew: sealed }] : [],
    )
    if (changed.length > 0) await this.#database.query(updateOf(column), [toRecordset(changed)])
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < TOGETHER
    const next = isEnd
      ? { column: index + 1, after: null }
      : { column: index, after: Object.keys(column.key).map((name) => last[name] ?? '') }
    return {
      of: `${column.table}.${column.column}`,
      looked: rows.length,
      resealed: changed.length,
      unopened: found.filter(({ sealed }) => sealed === false).length,
      next: next.column < SEALED_COLUMNS.length ? next : null,
    }
  }
}

/** Resealing over an open database. */
export function openResealing(engine: Pick<Engine, 'database' | 'cipher'>): { readonly resealing: ResealingStore } {
  return { resealing: new SqlResealing(engine) }
}

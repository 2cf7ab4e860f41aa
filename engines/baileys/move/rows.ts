import type { Context } from '../store/contexts.ts'
import type { Seal } from '../store/seal.ts'
import { NumberFault, type Place } from './place.ts'
import { type Row, type Table, TABLES, type Value } from './tables.ts'

/** our choice: rows in memory at once. A row has some tens of kilobytes at most. */
const PAGE_ROWS = 250

/** A value of a store with what it is sealed for. */
export interface SealedValue {
  readonly context: Context
  readonly value: Uint8Array
}

type Reader = Pick<Place, 'run'>

/** The rows of a number in one table, in their order, by pages. */
export async function* pagesOf(
  place: Reader,
  { name, columns, order }: Table,
  numberId: string,
  most: number = PAGE_ROWS,
): AsyncGenerator<readonly Row[]> {
  const read = [...new Set([...Object.keys(columns), ...order])].join(', ')
  const by = order.join(', ')
  let last: Row | undefined
  do {
    // Names of values are letters alone.
    const bounds = order.map((_, place) => `bound${'x'.repeat(place)}`)
    const after = last ? ` and (${by}) > (${bounds.map((bound) => `:${bound}`).join(', ')})` : ''
    const values = Object.fromEntries(bounds.map((bound, place) => [bound, last?.[order[place] ?? ''] ?? null]))
    const page: readonly Row[] = await place.run(
      `select ${read} from ${name} where number_id = :numberId${after} order by ${by} limit :most`,
      { ...(last ? values : {}), numberId, most },
    )
    if (page.length > 0) yield page
    last = page.length < most ? undefined : page.at(-1)
  } while (last)
}

/**
 * The row with its values sealed for another place. Each value is opened even where both have one key, so that what
 * cannot be opened is noticed while it is still in its place. Throws a NumberFault then.
 */
export function resealed({ name, contexts }: Table, numberId: string, row: Row, from: Seal, to: Seal): Row {
  const values = Object.entries(contexts).map(([column, contextOf]): [string, Value] => {
    const sealed = row[column]
    if (!(sealed instanceof Uint8Array)) return [column, null]
    const context = contextOf(numberId, row)
    try {
      return [column, to.seal(context, from.open(context, sealed))]
    } catch {
      throw new NumberFault(
        `a value in ${name} cannot be opened, so the number stays where it is: restore it from a backup, or unlink it and pair it anew`,
      )
    }
  })
  return { ...row, ...Object.fromEntries(values) }
}

/** Deletes all rows of a number; to be called within a transaction. */
export async function deleteNumber(place: Reader, numberId: string): Promise<void> {
  for (const { name } of TABLES) await place.run(`delete from ${name} where number_id = :numberId`, { numberId })
}

/** Some sealed value of the store, by which its key is known; null where there is none. */
export async function anySealed(place: Reader): Promise<SealedValue | null> {
  for (const { name, contexts } of TABLES) {
    const [column, contextOf] = Object.entries(contexts)[0] ?? []
    if (!column || !contextOf) continue
    const [row] = await place.run(`select * from ${name} limit 1`)
    const value = row?.[column]
    if (row && value instanceof Uint8Array) return { context: contextOf(String(row['number_id']), row), value }
  }
  return null
}

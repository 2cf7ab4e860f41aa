import type { Change } from './changes.ts'
import type { Hold, Holds } from './hold.ts'
import type { Query, Rows, Values } from './queries.ts'

/** Where an engine keeps its state: SQLite in a file, or PostgreSQL. It knows only sealed values. */
export interface Driver {
  /** Most commits that may be under way at once. */
  readonly lanes: number
  readonly holds: Holds
  /**
   * Reads what was committed. `hold` is null for what belongs to no number. Rejects with a HoldFault when the number is
   * not held, or when the store is away.
   */
  read<Q extends Query>(query: Q, values: Values, hold: Hold | null): Promise<readonly Rows[Q][]>
  /** The keys of one type of a number that are there, in any order. It rejects as `read` does. */
  keys(type: string, ids: readonly string[], hold: Hold): Promise<readonly KeyRow[]>
  /**
   * Applies changes in their order, all or none, while all of `held` are held. Resolves to the number of changed rows
   * of each once they survive a crash. Rejects with a HoldFault that names the numbers that are not held, or none when
   * nobody knows what is stored; after any other fault none is.
   */
  commit(changes: readonly Change[], held: readonly Hold[]): Promise<readonly number[]>
  /** Called when nothing is under way any more. Gives back all numbers. */
  close(): Promise<void>
}

export interface KeyRow {
  readonly id: string
  readonly value: Uint8Array
}

/** What one number reads of the store. */
export interface Reader {
  read<Q extends Query>(query: Q, values: Values): Promise<readonly Rows[Q][]>
  keys(type: string, ids: readonly string[]): Promise<readonly KeyRow[]>
}

import type { Change } from './changes.ts'
import type { Query, Rows, Values } from './queries.ts'

/** Where an engine keeps its state: SQLite in a file, or PostgreSQL. It knows only sealed values. */
export interface Driver {
  /** Most commits that may be under way at once. */
  readonly lanes: number
  /** Reads what was committed. */
  read<Q extends Query>(query: Q, values: Values): Promise<readonly Rows[Q][]>
  /** The keys of one type that are there, in any order. */
  keys(numberId: string, type: string, ids: readonly string[]): Promise<readonly KeyRow[]>
  /**
   * Applies changes in their order, all or none. Resolves to the number of changed rows of each once they survive a
   * crash; rejects when none is stored.
   */
  commit(changes: readonly Change[]): Promise<readonly number[]>
  /** Called when nothing is under way any more. */
  close(): Promise<void>
}

export interface KeyRow {
  readonly id: string
  readonly value: Uint8Array
}

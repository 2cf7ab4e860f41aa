import type { PlaceKind } from '../store/moves.ts'
import type { Seal } from '../store/seal.ts'
import type { Row, Table } from './tables.ts'

/**
 * A database that a store is carried from or to. SQL is what SQLite and PostgreSQL have in
 * common; `:name` in it is a value.
 */
export interface Place {
  readonly kind: PlaceKind
  /** What it is called in words to its operator. */
  readonly name: string
  /** With what an engine is started on it, in words. */
  readonly startWith: string
  /** Seals and opens its values. */
  readonly seal: Seal
  /** Runs a statement; resolves to its rows. */
  run(sql: string, values?: Row): Promise<readonly Row[]>
  /**
   * Adds rows of a number, in their order, with the columns that the table carries. Throws a NumberFault where one is
   * taken that may not be.
   */
  insert(table: Table, numberId: string, rows: readonly Row[]): Promise<void>
  /**
   * Takes a number within a transaction, so that no engine opens it until `free`, also when this process ends. Throws a
   * NumberFault while an engine holds it.
   */
  hold(numberId: string): Promise<void>
  free(numberId: string): Promise<void>
  /** All of what the work does is stored, surviving a crash, or, when it throws, nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Gives the place free. */
  close(): Promise<void>
}

/** What keeps one number from moving; its text says what to do. Others move. */
export class NumberFault extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'NumberFault'
  }
}

/** What to do about a row that both places have, each with a content of its own. */
export function takenFault(table: string): NumberFault {
  return new NumberFault(
    `the other place has rows of it in ${table} with the same names: let an engine run where it comes from until its gateway took what waits, stop it, and run this again`,
  )
}

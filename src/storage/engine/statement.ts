import type { SqlParameter } from './database.ts'

/** Collects the bound parameters of a statement whose shape depends on what is set. */
export class Parameters {
  readonly values: SqlParameter[] = []

  /** Adds a value and answers its placeholder. */
  add(value: SqlParameter): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** Adds a time, with the cast that makes it one. */
  time(value: Date | number | null): string {
    return `${this.add(value === null ? null : new Date(value).toISOString())}::timestamptz`
  }
}

import type { SqlParameter } from './database.ts'

/** Collects the bound parameters of a statement whose shape depends on which values are set. */
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

/** Our choice: clocks of gateways are at most this far apart, as SQL. */
export const CLOCKS_APART = "interval '10 minutes'"

/** SQL of the day (UTC) of a time. */
export function dayOf(at: string): string {
  return `(${at} at time zone 'UTC')::date`
}

/**
 * SQL that is true of the row with this id, if the number has it. The row is found by its id, whatever the planner
 * knows of the table: for a young table it rates an index of the number as good, which leads past all rows of the
 * number, and a kept plan stays that way.
 */
export function isRow(row: string, id: string, numberId: string): string {
  return `${row}.id = ${id} and ${row}.number_id || '' = ${numberId}`
}

/** A range of dates, both inclusive; null when open. */
export interface DateRange {
  readonly startDate: Date | null
  readonly endDate: Date | null
}

/** A condition on `created_at`, empty for an open range. */
export function between(p: Parameters, { startDate, endDate }: DateRange): string[] {
  return [
    ...(startDate === null ? [] : [`created_at >= ${p.time(startDate)}`]),
    ...(endDate === null ? [] : [`created_at <= ${p.time(endDate)}`]),
  ]
}

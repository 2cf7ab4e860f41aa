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

/** SQL that is the day of a time: days are those of UTC. */
export function dayOf(at: string): string {
  return `(${at} at time zone 'UTC')::date`
}

/**
 * SQL that is true of the row with this id, where it is of the number. Found by its id, however little the planner
 * knows of the table: of a young one it takes an index of the number for as good, which leads past all that the number
 * has, and a kept plan stays so.
 */
export function isRow(row: string, id: string, numberId: string): string {
  return `${row}.id = ${id} and ${row}.number_id || '' = ${numberId}`
}

/** Both inclusive, null for open. */
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

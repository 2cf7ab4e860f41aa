import { createHash } from 'node:crypto'
import { storableText } from '../../domain/storable.ts'

const SIGNS = '+-'

/** A `timestamptz` as the drivers give it ("2026-01-01 10:00:00.123+00"), as a Date. */
export function toDate(text: string): Date {
  // The form is fixed, so it is cut rather than matched: every row read passes here several times.
  const hasShortZone = SIGNS.includes(text.charAt(text.length - 3))
  const date = new Date(`${text.slice(0, 10)}T${text.slice(11)}${hasShortZone ? ':00' : ''}`)
  if (Number.isNaN(date.getTime())) throw new Error('a timestamp of the database could not be read')
  return date
}

export function toDateOrNull(text: string | null): Date | null {
  return text === null ? null : toDate(text)
}

/** SHA-256 as hex, for look-ups of secrets with 130 bits of randomness or more: no slow hash is needed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** JSON escapes of what storableText replaces: NUL and lone surrogates, which only those are written as. */
const ESCAPED = ['\\u0000', '\\ud']

/** Rows as one JSON parameter for `json_to_recordset`, every text in them as PostgreSQL can keep it. */
export function toRecordset(rows: readonly object[]): string {
  const text = JSON.stringify(rows)
  if (!ESCAPED.some((escaped) => text.includes(escaped))) return text
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? storableText(value) : value))
}

/**
 * What one parameter of a statement may be; times go as ISO text with a cast, lists with a cast to their array type.
 */
export type SqlParameter = string | number | boolean | null | readonly string[]

/** A parameter as the database can keep it. */
export function toParameter(value: SqlParameter): SqlParameter {
  if (typeof value === 'string') return storableText(value)
  return value !== null && typeof value === 'object' ? value.map(storableText) : value
}

/** Columns as `json_to_recordset` is told them. */
export function recordset(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
}

/** JSON kept as text; `null` where there is nothing. */
export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

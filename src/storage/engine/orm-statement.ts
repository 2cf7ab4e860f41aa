import { isRaw } from '@mikro-orm/core'
import type { SqlParameter } from './rows.ts'

/** A statement as a session runs it. */
export interface BoundStatement {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
}

/** The ORM's placeholders: `?` for a value, `??` for a name, `\?` for a plain question mark. */
const MARK = /\\\?|\?\??/g

/**
 * A statement of the ORM with its values bound. Left to itself the ORM writes them into the text: the database would
 * log them, and plan each statement anew. Throws for a value that no column of ours can be written with.
 */
export function bindStatement(
  sql: string,
  values: readonly unknown[],
  quoteName: (name: string) => string,
): BoundStatement {
  const parameters: SqlParameter[] = []
  const textOf = (text: string, given: readonly unknown[]): string => {
    let next = 0
    return text.replace(MARK, (mark) => {
      if (mark === '\\?') return '?'
      const value = given[next]
      next += 1
      return mark === '??' ? quoteName(String(value)) : placeholder(value)
    })
  }
  const placeholder = (value: unknown): string => {
    if (isRaw(value)) return textOf(value.sql, value.params)
    if (Array.isArray(value)) return value.map(placeholder).join(', ')
    parameters.push(toSqlParameter(value))
    return `$${parameters.length}`
  }
  return { sql: textOf(sql, values), parameters }
}

/** A value as a session takes it. Throws for a value that no column of ours can be written with. */
export function toSqlParameter(value: unknown): SqlParameter {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  throw new Error(`the ORM wrote a ${typeof value} as a parameter`)
}

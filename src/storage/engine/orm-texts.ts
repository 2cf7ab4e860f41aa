import { isRaw } from '@mikro-orm/core'
import { toSqlParameter, type BoundStatement } from './orm-statement.ts'
import type { SqlParameter } from './rows.ts'

/**
 * A statement's shape, which tells it apart from others, and the values that are not part of the shape, in its order.
 */
interface Shaped {
  readonly shape: string
  readonly values: readonly Value[]
}

type Value = string | number | Date

/**
 * A statement's text, and for each of its parameters the place of its value, or the value itself when that is always
 * the same.
 */
interface Kept {
  readonly sql: string
  readonly parameters: readonly (number | { readonly always: SqlParameter })[]
}

/** Our choice: more shapes than the stores have; a statement beyond this is built anew each time. */
const MOST_KEPT = 1_000

/**
 * Texts of the ORM's statements, built once of each shape. Its query builder makes a text in 115 us of CPU while that
 * code is in the caches of the processor, and in twice as much after each wait for the database (measured,
 * docs/decisions/0033-tables.md); looking a text up costs 2 us.
 */
export class OrmTexts {
  readonly #kept = new Map<string, Kept | null>()

  /**
   * The statement that `build` makes of conditions, column values and row counts. `form` tells apart statements that
   * are built differently from the same input. Only texts, numbers and times are values of a kept text; a statement
   * with lists of values, or with pieces of SQL that have values, is built anew.
   */
  statement<Given extends object>(form: string, given: Given, build: (given: Given) => BoundStatement): BoundStatement {
    const shaped = shapeOf(given)
    if (shaped === null) return build(given)
    const key = `${form} ${shaped.shape}`
    const known = this.#kept.get(key)
    const kept = known === undefined ? this.#keep(key, given, shaped, build) : known
    if (kept === null) return build(given)
    const values = shaped.values.map(toSqlParameter)
    return {
      sql: kept.sql,
      parameters: kept.parameters.map((parameter) =>
        typeof parameter === 'number' ? (values[parameter] ?? null) : parameter.always,
      ),
    }
  }

  /** Keeps the text that `build` makes; null when it cannot be told where a value went. */
  #keep<Given extends object>(
    key: string,
    given: Given,
    { values }: Shaped,
    build: (given: Given) => BoundStatement,
  ): Kept | null {
    if (this.#kept.size >= MOST_KEPT) return null
    const marks = values.map(markFor)
    const { sql, parameters } = build(marked(given, marks))
    const places = new Map(marks.map((mark, place) => [toSqlParameter(mark), place]))
    const filled = parameters.map((always) => places.get(always) ?? { always })
    const found = filled.filter((parameter) => typeof parameter === 'number')
    const kept =
      found.length === values.length && new Set(found).size === values.length ? { sql, parameters: filled } : null
    this.#kept.set(key, kept)
    return kept
  }
}

/** Stands for a value of its kind while a text is built. No two marks are alike, and no caller stores such a value. */
function markFor(value: Value, place: number): Value {
  const mark = 1_900_000_000 + place
  if (typeof value === 'number') return mark
  return typeof value === 'string' ? `\u{1}${mark}` : new Date(mark)
}

function isPlain(part: object): part is Readonly<Record<string, unknown>> {
  return Object.getPrototypeOf(part) === Object.prototype && Object.getOwnPropertySymbols(part).length === 0
}

function isList(part: object): part is readonly object[] {
  return Array.isArray(part) && part.every((one) => typeof one === 'object' && one !== null)
}

/**
 * The shape of what is given; null when it has lists of values, whose length is part of their text, or pieces of SQL
 * with values of their own.
 */
function shapeOf(given: object): Shaped | null {
  const values: Value[] = []
  const shape = describe(given, values)
  return shape === null ? null : { shape, values }
}

function describe(part: unknown, values: Value[]): string | null {
  if (part === null || typeof part === 'boolean') return String(part)
  if (typeof part === 'string' || typeof part === 'number' || part instanceof Date) {
    values.push(part)
    return part instanceof Date ? 'time' : typeof part
  }
  if (typeof part !== 'object') return null
  if (isRaw(part)) return part.params.length === 0 ? `sql ${part.sql}` : null
  const parts = isList(part) ? Object.entries(part) : isPlain(part) ? Object.entries(part) : null
  if (parts === null) return null
  let shape = ''
  for (const [name, one] of parts) {
    const told = describe(one, values)
    if (told === null) return null
    shape += `${name}:${told},`
  }
  return Array.isArray(part) ? `[${shape}]` : `{${shape}}`
}

/** The same structure as `given`, with a mark in place of each value. */
function marked<Part>(given: Part, marks: readonly Value[]): Part {
  let place = 0
  const of = (part: unknown): unknown => {
    if (part === null || typeof part === 'boolean' || isRaw(part)) return part
    if (typeof part !== 'object' || part instanceof Date) return marks[place++]
    return Array.isArray(part)
      ? part.map(of)
      : Object.fromEntries(Object.entries(part).map(([name, one]) => [name, of(one)]))
  }
  return of(given) as Part
}

import { ArrayType, BigIntType, BooleanType, DateTimeType, DateType, IntegerType, JsonType, TextType } from '@mikro-orm/core'
import { toDate } from './rows.ts'

/** `tenantId` as the ORM names its column: `tenant_id`. */
type ColumnName<Name extends string, Done extends string = ''> =
  Name extends `${infer First}${infer Rest}` ? ColumnName<Rest, `${Done}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`> : Done

/** What the property of an entity holds, without the ORM's marks. */
type ValueOf<Property> = Property extends { readonly '~type'?: { value: infer Value }, readonly '~options': infer Options }
  ? Options extends { readonly nullable: true } ? Value | null : Value
  : never

/** An entity as `defineEntity` gives it. */
interface Entity<Properties> {
  readonly tableName: string
  readonly properties: Properties
  readonly meta: { readonly properties: object }
}

/** Rows of an entity as the rest reads and writes them: times are dates, JSON is what it says, what is not there is null. */
export type RecordOf<E extends { readonly properties: object }> = { readonly [Name in keyof E['properties']]: ValueOf<E['properties'][Name]> }

/** A row as a statement answers it. Texts and booleans are as they will be read; of anything else a row says nothing until it is. */
export type RowOf<Values> = { readonly [Name in keyof Values & string as ColumnName<Name>]: Values[Name] extends string | boolean | null ? Values[Name] : unknown }

interface Kind {
  /** As `json_to_recordset` is told it. */
  readonly type: string
  /** Of what is not null, as the driver answers it; null: it stays as it is. */
  readonly read: ((value: never) => unknown) | null
  /** Of what is not null, as it goes into a recordset. */
  readonly write: ((value: never) => unknown) | null
}

const JSON_TEXT: Kind = { type: 'text', read: (text: string) => JSON.parse(text) as unknown, write: (value: unknown) => JSON.stringify(value) }

const KINDS: readonly (readonly [type: abstract new (...args: never[]) => object, kind: Kind])[] = [
  [TextType, { type: 'text', read: null, write: null }],
  [BooleanType, { type: 'boolean', read: null, write: null }],
  [BigIntType, { type: 'bigint', read: (text: string) => Number(text), write: null }],
  [IntegerType, { type: 'integer', read: null, write: null }],
  [DateTimeType, { type: 'timestamptz', read: toDate, write: (date: Date) => date.toISOString() }],
  [DateType, { type: 'date', read: null, write: null }],
  [JsonType, { type: 'jsonb', read: null, write: null }],
]

/** What is read of a property before the ORM looks at it. */
interface Described {
  readonly type: unknown
  readonly columnType?: string
  readonly columnTypes?: readonly string[]
}

function kindOf({ type, columnType, columnTypes }: Described): Kind {
  const is = (wanted: unknown): boolean => type === wanted || (typeof wanted === 'function' && type instanceof wanted)
  if (is(JsonType) && (columnType ?? columnTypes?.[0]) === 'text') return JSON_TEXT
  const known = KINDS.find(([wanted]) => is(wanted))
  if (!known || is(ArrayType)) throw new Error('rows cannot be read of this type of column')
  return known[1]
}

/** The column of a property, as the ORM's naming strategy has it. */
export function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Names of columns by property: one that the entity does not have is an error of types. */
export type Columns<Values> = { readonly [Name in keyof Values]: string }

/** All that statements need to know of columns of an entity's table. */
export interface Rows<Values> {
  /** `account_id` for `accountId`. */
  readonly columns: Columns<Values>
  /** `t.account_id` for `accountId`, of the alias `t`. */
  of(alias: string): Columns<Values>
  /** All of them, as a select or an insert lists them; of an alias where one is given. */
  list(alias?: string): string
  /** Columns with their types, as `recordset` of rows.ts is told them. */
  readonly types: Readonly<Record<string, string>>
  read(row: RowOf<Values>): Values
  /** As an element of a recordset. */
  write(record: Values): object
  /** The same without some. */
  without<Name extends keyof Values>(...names: readonly Name[]): Rows<Omit<Values, Name>>
}

interface Field {
  readonly property: string
  readonly column: string
  readonly kind: Kind
}

class FieldRows<Values extends object> implements Rows<Values> {
  readonly columns: Columns<Values>
  readonly types: Readonly<Record<string, string>>
  readonly #fields: readonly Field[]

  constructor(fields: readonly Field[]) {
    this.#fields = fields
    this.columns = this.#named('')
    this.types = Object.fromEntries(fields.map(({ column, kind }) => [column, kind.type]))
  }

  of(alias: string): Columns<Values> {
    return this.#named(`${alias}.`)
  }

  list(alias?: string): string {
    return this.#fields.map(({ column }) => alias === undefined ? column : `${alias}.${column}`).join(', ')
  }

  read(row: RowOf<Values>): Values {
    const given: Readonly<Record<string, unknown>> = row
    const record: Record<string, unknown> = {}
    for (const { property, column, kind } of this.#fields) {
      const value = given[column]
      record[property] = kind.read === null || value === null ? value : kind.read(value as never)
    }
    return record as Values
  }

  write(record: Values): object {
    const given = record as Readonly<Record<string, unknown>>
    const row: Record<string, unknown> = {}
    for (const { property, column, kind } of this.#fields) {
      const value = given[property]
      row[column] = kind.write === null || value === null ? value : kind.write(value as never)
    }
    return row
  }

  without<Name extends keyof Values>(...names: readonly Name[]): Rows<Omit<Values, Name>> {
    const left = new Set<unknown>(names)
    return new FieldRows<Omit<Values, Name>>(this.#fields.filter(({ property }) => !left.has(property)))
  }

  #named(before: string): Columns<Values> {
    return Object.fromEntries(this.#fields.map(({ property, column }) => [property, `${before}${column}`])) as Columns<Values>
  }
}

/** Reader, writer and columns of an entity's table. Throws for a type of column that it has no reader for. */
export function rowsOf<E extends Entity<object>>(entity: E): Rows<RecordOf<E>> {
  const fields = Object.entries(entity.meta.properties as Record<string, Described>)
    .map(([property, described]) => ({ property, column: columnOf(property), kind: kindOf(described) }))
  return new FieldRows<RecordOf<E>>(fields)
}

import {
  ArrayType,
  BigIntType,
  BooleanType,
  DateTimeType,
  DateType,
  IntegerType,
  JsonType,
  TextType,
} from '@mikro-orm/core'
import { toDate } from './rows.ts'

/** The column name that the ORM gives: `tenantId` becomes `tenant_id`. */
type ColumnName<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? ColumnName<Rest, `${Done}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Done

/** Type of an entity's property, without the ORM's marks. */
type ValueOf<Property> = Property extends {
  readonly '~type'?: { value: infer Value }
  readonly '~options': infer Options
}
  ? Options extends { readonly nullable: true }
    ? Value | null
    : Value
  : never

/** An entity as `defineEntity` makes it. */
export interface DefinedEntity<Properties> {
  readonly tableName: string
  readonly properties: Properties
  readonly meta: { readonly properties: object }
}

/** A row of an entity as stores read and write it: times are dates, JSON is parsed, missing values are null. */
export type RecordOf<E extends { readonly properties: object }> = {
  readonly [Name in keyof E['properties']]: ValueOf<E['properties'][Name]>
}

/**
 * A row as a statement answers it. Texts, booleans and times have their sent form; every other value is unknown until
 * it is read.
 */
export type RowOf<Values> = { readonly [Name in keyof Values & string as ColumnName<Name>]: Sent<Values[Name]> }

type Sent<Value> = Value extends string | boolean | null ? Value : Value extends Date ? string : unknown

/** The row that a reader takes. */
export type RowIn<R extends { read(row: never): unknown }> = Parameters<R['read']>[0]

/** Values of which some have another name than in the entity. */
type Renamed<Values, Names> = {
  readonly [Name in keyof Values as Name extends keyof Names ? Names[Name] & string : Name]: Values[Name]
}

/** Values of which some are never null here, though the entity allows it. */
type Filled<Values, Name extends keyof Values> = {
  readonly [Each in keyof Values]: Each extends Name ? NonNullable<Values[Each]> : Values[Each]
}

/** New names for values; only names that the entity has can be renamed. */
type Naming<Values, Names> = { readonly [Name in keyof Names]: Name extends keyof Values ? string : never }

interface Kind {
  /** The type that `json_to_recordset` is told. */
  readonly type: string
  /** Reads a value that is not null from what the driver answers; null when it stays as it is. */
  readonly read: ((value: never) => unknown) | null
  /** Writes a value that is not null into a recordset; null when it stays as it is. */
  readonly write: ((value: never) => unknown) | null
}

const JSON_TEXT: Kind = {
  type: 'text',
  read: (text: string) => JSON.parse(text) as unknown,
  write: (value: unknown) => JSON.stringify(value),
}

const KINDS: readonly (readonly [type: abstract new (...args: never[]) => object, kind: Kind])[] = [
  [TextType, { type: 'text', read: null, write: null }],
  [BooleanType, { type: 'boolean', read: null, write: null }],
  [BigIntType, { type: 'bigint', read: (text: string) => Number(text), write: null }],
  [IntegerType, { type: 'integer', read: null, write: null }],
  [DateTimeType, { type: 'timestamptz', read: toDate, write: (date: Date) => date.toISOString() }],
  [DateType, { type: 'date', read: null, write: null }],
  [JsonType, { type: 'jsonb', read: null, write: null }],
  [ArrayType, { type: 'text[]', read: null, write: null }],
]

/** Types that the ORM has no word for. Times in lists are ISO texts. */
const WORDLESS: Readonly<Record<string, Kind>> = {
  xid8: { type: 'xid8', read: null, write: null },
  'timestamptz(3)[]': {
    type: 'timestamptz(3)[]',
    read: (texts: readonly string[]) => texts.map((text) => toDate(text).toISOString()),
    write: null,
  },
}

/** The part of a property that is read before the ORM processes it. */
interface Described {
  readonly type: unknown
  readonly columnType?: string
  readonly columnTypes?: readonly string[]
}

function kindOf({ type, columnType, columnTypes }: Described): Kind {
  const is = (wanted: unknown): boolean => type === wanted || (typeof wanted === 'function' && type instanceof wanted)
  const column = columnType ?? columnTypes?.[0] ?? ''
  if (is(JsonType) && column === 'text') return JSON_TEXT
  const kind = WORDLESS[column] ?? KINDS.find(([wanted]) => is(wanted))?.[1]
  if (!kind) throw new Error('rows cannot be read of this type of column')
  return kind
}

/** The column of a property, by the ORM's naming strategy. */
export function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Names of columns by property; TypeScript refuses a property that the entity does not have. */
export type Columns<Values> = { readonly [Name in keyof Values]: string }

/** What statements need to know of the columns of an entity's table. */
export interface Rows<Values> {
  /** `account_id` for `accountId`. */
  readonly columns: Columns<Values>
  /** `t.account_id` for `accountId`, where `t` is the alias. */
  of(alias: string): Columns<Values>
  /** All columns, as a select or an insert lists them; prefixed with the alias when one is given. */
  list(alias?: string): string
  /** Columns with their types, for `recordset` of rows.ts. */
  readonly types: Readonly<Record<string, string>>
  /** Makes a record of a row. */
  readonly read: (row: RowOf<Values>) => Values
  /**
   * Makes a reader that gives some values other names: `{ externalId: 'messageId' }`. Call it once, not for each row.
   */
  reader<const Names extends Naming<Values, Names>>(names: Names): (row: RowOf<Values>) => Renamed<Values, Names>
  /** Makes an element of a recordset from a record. */
  readonly write: (record: Values) => object
  /** Only these columns, in the order of the entity. */
  only<Name extends keyof Values>(...names: readonly Name[]): Rows<Pick<Values, Name>>
  /** All columns but these. */
  without<Name extends keyof Values>(...names: readonly Name[]): Rows<Omit<Values, Name>>
  /** The same columns for statements that answer some of them never null. */
  filled<Name extends keyof Values>(): Rows<Filled<Values, Name>>
}

interface Field {
  readonly property: string
  readonly column: string
  readonly kind: Kind
}

/** One value of an object: its source, its target, and how a value that is not null is converted. */
interface Step {
  readonly from: string
  readonly to: string
  readonly map: ((value: never) => unknown) | null
}

/**
 * Compiles a function, as the ORM compiles its own, from names that stand in this source alone: a loop over them costs
 * half as much again as code written by hand, for each row (measured, docs/decisions/0040-row-readers.md).
 */
function compile<From, To>(steps: readonly Step[]): (from: From) => To {
  const values = steps.map(
    ({ from, to, map }, at) =>
      `${to}: ${map === null ? `from.${from}` : `from.${from} === null ? null : map${at}(from.${from})`}`,
  )
  return new Function(...steps.map((_, at) => `map${at}`), `return (from) => ({ ${values.join(', ')} })`)(
    ...steps.map(({ map }) => map),
  ) as (from: From) => To
}

/** Compiles with the first object, because most parts of most tables are never used. */
function whenAsked<From, To>(steps: readonly Step[]): (from: From) => To {
  let compiled: ((from: From) => To) | null = null
  return (from) => (compiled ??= compile<From, To>(steps))(from)
}

class FieldRows<Values extends object> implements Rows<Values> {
  readonly columns: Columns<Values>
  readonly types: Readonly<Record<string, string>>
  readonly read: (row: RowOf<Values>) => Values
  readonly write: (record: Values) => object
  readonly #fields: readonly Field[]

  constructor(fields: readonly Field[]) {
    this.#fields = fields
    this.columns = this.#named('')
    this.types = Object.fromEntries(fields.map(({ column, kind }) => [column, kind.type]))
    this.read = whenAsked(this.#read({}))
    this.write = whenAsked(
      fields.map(({ property, column, kind }) => ({ from: property, to: column, map: kind.write })),
    )
  }

  of(alias: string): Columns<Values> {
    return this.#named(`${alias}.`)
  }

  list(alias?: string): string {
    return this.#fields.map(({ column }) => (alias === undefined ? column : `${alias}.${column}`)).join(', ')
  }

  reader<const Names extends Naming<Values, Names>>(names: Names): (row: RowOf<Values>) => Renamed<Values, Names> {
    return whenAsked(this.#read(names))
  }

  only<Name extends keyof Values>(...names: readonly Name[]): Rows<Pick<Values, Name>> {
    return this.#those(new Set(names), true)
  }

  without<Name extends keyof Values>(...names: readonly Name[]): Rows<Omit<Values, Name>> {
    return this.#those(new Set(names), false)
  }

  filled<Name extends keyof Values>(): Rows<Filled<Values, Name>> {
    return new FieldRows(this.#fields)
  }

  #read(names: Readonly<Record<string, string | undefined>>): Step[] {
    return this.#fields.map(({ property, column, kind }) => ({
      from: column,
      to: names[property] ?? property,
      map: kind.read,
    }))
  }

  #those<Some extends object>(names: ReadonlySet<unknown>, areNamed: boolean): Rows<Some> {
    return new FieldRows<Some>(this.#fields.filter(({ property }) => names.has(property) === areNamed))
  }

  #named(before: string): Columns<Values> {
    return Object.fromEntries(
      this.#fields.map(({ property, column }) => [property, `${before}${column}`]),
    ) as Columns<Values>
  }
}

/** Reader, writer and columns of an entity's table. Throws for a type of column that it has no reader for. */
export function rowsOf<E extends DefinedEntity<object>>(entity: E): Rows<RecordOf<E>> {
  const fields = Object.entries(entity.meta.properties as Record<string, Described>).map(([property, described]) => ({
    property,
    column: columnOf(property),
    kind: kindOf(described),
  }))
  return new FieldRows<RecordOf<E>>(fields)
}

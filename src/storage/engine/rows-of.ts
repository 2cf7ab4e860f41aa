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

/** `tenantId` as the ORM names its column: `tenant_id`. */
type ColumnName<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? ColumnName<Rest, `${Done}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Done

/** What the property of an entity holds, without the ORM's marks. */
type ValueOf<Property> = Property extends {
  readonly '~type'?: { value: infer Value }
  readonly '~options': infer Options
}
  ? Options extends { readonly nullable: true }
    ? Value | null
    : Value
  : never

/** An entity as `defineEntity` gives it. */
export interface DefinedEntity<Properties> {
  readonly tableName: string
  readonly properties: Properties
  readonly meta: { readonly properties: object }
}

/**
 * Rows of an entity as the rest reads and writes them: times are dates, JSON is what it says, what is not there is
 * null.
 */
export type RecordOf<E extends { readonly properties: object }> = {
  readonly [Name in keyof E['properties']]: ValueOf<E['properties'][Name]>
}

/**
 * A row as a statement answers it. Texts, booleans and times are as they come; of anything else a row says nothing
 * until it is read.
 */
export type RowOf<Values> = { readonly [Name in keyof Values & string as ColumnName<Name>]: Sent<Values[Name]> }

type Sent<Value> = Value extends string | boolean | null ? Value : Value extends Date ? string : unknown

/** A row that some columns' reader takes. */
export type RowIn<R extends { read(row: never): unknown }> = Parameters<R['read']>[0]

/** Values, some of them under other names than the entity's. */
type Renamed<Values, Names> = {
  readonly [Name in keyof Values as Name extends keyof Names ? Names[Name] & string : Name]: Values[Name]
}

/** Values of which some are there that may be null elsewhere. */
type Filled<Values, Name extends keyof Values> = {
  readonly [Each in keyof Values]: Each extends Name ? NonNullable<Values[Each]> : Values[Each]
}

/** Other names of values: what the entity does not have cannot be named. */
type Naming<Values, Names> = { readonly [Name in keyof Names]: Name extends keyof Values ? string : never }

interface Kind {
  /** As `json_to_recordset` is told it. */
  readonly type: string
  /** Of what is not null, as the driver answers it; null: it stays as it is. */
  readonly read: ((value: never) => unknown) | null
  /** Of what is not null, as it goes into a recordset. */
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

/** What is read of a property before the ORM looks at it. */
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
  /** A new record of each row. */
  readonly read: (row: RowOf<Values>) => Values
  /** A reader that calls some values by other names: `{ externalId: 'messageId' }`. Made once, not for each row. */
  reader<const Names extends Naming<Values, Names>>(names: Names): (row: RowOf<Values>) => Renamed<Values, Names>
  /** As an element of a recordset. */
  readonly write: (record: Values) => object
  /** Some of them alone, in the order of the entity. */
  only<Name extends keyof Values>(...names: readonly Name[]): Rows<Pick<Values, Name>>
  /** The same without some. */
  without<Name extends keyof Values>(...names: readonly Name[]): Rows<Omit<Values, Name>>
  /** The same of rows in which some are never null, as their statements have it. */
  filled<Name extends keyof Values>(): Rows<Filled<Values, Name>>
}

interface Field {
  readonly property: string
  readonly column: string
  readonly kind: Kind
}

/** One value of an object: where it comes from and goes to, and what is made of it where it is not null. */
interface Step {
  readonly from: string
  readonly to: string
  readonly map: ((value: never) => unknown) | null
}

/**
 * Compiled, as the ORM compiles its own, of names that stand in this source alone: a loop over them costs half as much
 * again as what is written by hand, for each row (measured, docs/decisions/0008-structure.md).
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

/** Compiles with the first object: most parts of most tables are never asked for. */
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

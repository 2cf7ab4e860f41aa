import {
  isRaw,
  OptimisticLockError,
  QueryFlag,
  raw,
  type EntityData,
  type EntityName,
  type FilterQuery,
  type QueryOrderMap,
  type RequiredEntityData,
  type Type,
} from '@mikro-orm/core'
import type { QBFilterQuery, QueryBuilder, SqlEntityManager } from '@mikro-orm/postgresql'
import { bindStatement, type BoundStatement } from './orm-statement.ts'
import type { OrmTexts } from './orm-texts.ts'
import { columnOf, rowsOf, type DefinedEntity, type RecordOf } from './rows-of.ts'
import type { SqlParameter } from './rows.ts'

/** The part of a column's property that is used: how its values are written. */
interface Described {
  readonly customType?: Type<unknown, unknown>
}

/** What the statements of a unit of work run on: the database, or the session of a transaction. */
interface Session {
  query(sql: string, parameters: readonly SqlParameter[]): Promise<object[]>
}

/** A text of the ORM with its values. */
interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** Makes a statement return its rows, by which they are counted: sessions answer rows alone. */
function counted({ sql, params }: Query): Query {
  return { sql: sql.includes(' returning ') ? sql : `${sql} returning 1`, params }
}

const READERS = new WeakMap<object, (row: never) => never>()

/** A reader, compiled once per entity. */
function readerOf<P extends object>(entity: DefinedEntity<P>): (row: never) => RecordOf<DefinedEntity<P>> {
  const known = READERS.get(entity)
  if (known) return known
  const { read } = rowsOf(entity)
  READERS.set(entity, read as never)
  return read as never
}

/** An entity as `defineEntity` makes it: rows as the ORM holds them, and what the entity says of its columns. */
type Table<E, P> = EntityName<E> & DefinedEntity<P>
type Values<P extends object> = RecordOf<DefinedEntity<P>>
type Where<E> = FilterQuery<NoInfer<E>>
type Data<E> = EntityData<NoInfer<E>>
/** Values by property, as the database takes them. */
type Stored = Readonly<Record<string, unknown>>
type NewData<E> = RequiredEntityData<NoInfer<E>>

interface ReadRange<E> {
  readonly orderBy?: QueryOrderMap<NoInfer<E>>
  /** Most rows. */
  readonly limit?: number
  /** Rows that are passed over first; only with a limit. */
  readonly offset?: number
  /** Lock on the rows until the transaction of the unit of work ends, in PostgreSQL's words. */
  readonly lock?: 'update' | 'no key update' | 'key share'
}

/**
 * Rows of entities as records, within a scope; each call is one statement. The ORM, by a manager of its own, makes the
 * statement and applies the entity's filters and version; its text is built once per shape (`OrmTexts`). No row becomes
 * an object that tracks its changes: writing those costs twice the statement (docs/decisions/0033-tables.md).
 */
export class UnitManager {
  readonly #entities: SqlEntityManager
  readonly #texts: OrmTexts
  readonly #session: Session

  /** `entities` is a fork for this unit of work; `texts` are those of its database. */
  constructor(entities: SqlEntityManager, texts: OrmTexts, session: Session) {
    this.#entities = entities
    this.#texts = texts
    this.#session = session
  }

  /** Rows as records. */
  async read<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    { orderBy = {}, limit, offset, lock }: ReadRange<E> = {},
  ): Promise<Values<P>[]> {
    const seen = await this.#seen(entity, where, 'read')
    const rows = await this.#ask(
      `read ${entity.tableName} ${JSON.stringify(orderBy)} ${lock ?? ''}`,
      { seen, ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) },
      (given) => {
        const query = this.#query<E>(entity).select('*').where(given.seen).orderBy(orderBy)
        const { sql, params } = (given.limit === undefined ? query : query.limit(given.limit, given.offset)).toQuery()
        return { sql: lock === undefined ? sql : `${sql} for ${lock}`, params }
      },
    )
    return rows.map(readerOf(entity))
  }

  /** The first row, or null when there is none. */
  async readOne<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    range: Omit<ReadRange<E>, 'limit'> = {},
  ): Promise<Values<P> | null> {
    const [first] = await this.read(entity, where, { ...range, limit: 1 })
    return first ?? null
  }

  /** How many rows there are. */
  async count<E extends object>(entity: Table<E, unknown>, where: Where<E>): Promise<number> {
    const seen = await this.#seen(entity, where, 'read')
    const [row] = await this.#ask<{ readonly seen: QBFilterQuery<E> }, { readonly count: unknown }>(
      `count ${entity.tableName}`,
      { seen },
      (given) => this.#query<E>(entity).count().where(given.seen).toQuery(),
    )
    return Number(row?.count)
  }

  /** How many rows have each value of a column; values without rows are absent. */
  async countBy<E extends object, P extends object>(
    entity: Table<E, P>,
    property: keyof P & string,
    where: Where<E> = {},
  ): Promise<Readonly<Record<string, number>>> {
    const seen = await this.#seen(entity, where, 'read')
    const rows = await this.#ask<{ readonly seen: QBFilterQuery<E> }, Readonly<Record<string, unknown>>>(
      `count ${entity.tableName} by ${property}`,
      { seen },
      (given) =>
        this.#query<E>(entity)
          .select([property as never, raw('count(*) as count')])
          .where(given.seen)
          .groupBy(property as never)
          .toQuery(),
    )
    return Object.fromEntries(rows.map((row) => [String(row[columnOf(property)]), Number(row['count'])]))
  }

  /** Stores a new row, and answers it with the values that the database gave to missing columns. */
  async created<E extends object, P extends object>(entity: Table<E, P>, data: NewData<E>): Promise<Values<P>> {
    const [row] = await this.#ask(`insert ${entity.tableName} *`, { data: this.#stored(entity, data) }, (given) =>
      this.#query<E>(entity)
        .insert(given.data as never)
        .returning('*')
        .toQuery(),
    )
    if (row === undefined) throw new Error('a row was stored, and not answered')
    return readerOf(entity)(row)
  }

  /** Stores new rows, in one statement: all of them or none. Rows of one call give the same columns. */
  async added<E extends object>(entity: Table<E, unknown>, ...rows: readonly NewData<E>[]): Promise<void> {
    if (rows.length === 0) return
    const data = rows.map((row) => this.#stored(entity, row))
    const build = (given: { readonly data: typeof data }): Query =>
      this.#query<E>(entity)
        .insert(given.data as never)
        .toQuery()
    // Many rows: keeping a text for each number of rows is not worth the memory.
    if (data.length === 1) await this.#ask(`insert ${entity.tableName}`, { data }, build)
    else await this.#run(this.#bound(build({ data })))
  }

  /** Stores a row, or changes the row with its key. For entities without filters only, because it sees all rows. */
  async upserted<E extends object>(entity: Table<E, unknown>, data: NewData<E>): Promise<void> {
    const { primaryKeys, filters } = this.#entities.getMetadata().get(entity)
    if (Object.keys(filters).length > 0) throw new Error('a row that belongs to somebody is changed within a scope')
    await this.#ask(`upsert ${entity.tableName}`, { data: this.#stored(entity, data) }, (given) => {
      const others = Object.keys(given.data).filter((name) => !primaryKeys.includes(name as never))
      return this.#query<E>(entity)
        .insert(given.data as never)
        .onConflict(primaryKeys as never)
        .merge(others as never)
        .toQuery()
    })
  }

  /** Changes rows, and answers them as they are afterwards. */
  async updated<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    data: Data<E>,
  ): Promise<Values<P>[]> {
    const rows = await this.#update<E>(entity, where, data, '*')
    return rows.map(readerOf(entity))
  }

  /** Changes rows, and answers how many there were. */
  async changed<E extends object>(entity: Table<E, unknown>, where: Where<E>, data: Data<E>): Promise<number> {
    return (await this.#update<E>(entity, where, data, '1')).length
  }

  /**
   * Changes the row of a record whose entity has a version; the version rises. Throws OptimisticLockError when somebody
   * changed or removed the row since the record was read.
   */
  async changedSince<E extends object, P extends object>(
    entity: Table<E, P>,
    record: Values<P>,
    data: Data<E>,
  ): Promise<void> {
    const { className, primaryKeys, versionProperty } = this.#entities.getMetadata().get(entity)
    if (!versionProperty) throw new Error('an entity without a version')
    const values = record as Readonly<Record<string, unknown>>
    const asRead = Object.fromEntries([...primaryKeys, versionProperty].map((name) => [name, values[name]]))
    if ((await this.changed<E>(entity, asRead as Where<E>, data)) === 0) throw OptimisticLockError.lockFailed(className)
  }

  /** Removes rows, and answers how many there were. */
  async removed<E extends object>(entity: Table<E, unknown>, where: Where<E>): Promise<number> {
    const seen = await this.#seen(entity, where, 'delete')
    const rows = await this.#ask(`delete ${entity.tableName}`, { seen }, (given) =>
      counted(this.#query<E>(entity).delete().where(given.seen).toQuery()),
    )
    return rows.length
  }

  async #update<E extends object>(
    entity: Table<E, unknown>,
    where: Where<E>,
    data: Data<E>,
    returning: '*' | '1',
  ): Promise<never[]> {
    const seen = await this.#seen(entity, where, 'update')
    const given = { seen, data: this.#stored(entity, data) }
    return this.#ask(`update ${entity.tableName} ${returning}`, given, (values) => {
      const query = this.#query<E>(entity)
        .update(values.data as never)
        .where(values.seen)
      return counted((returning === '*' ? query.returning('*') : query).toQuery())
    })
  }

  /** A query builder that takes values as the database does. */
  #query<E extends object>(entity: EntityName<E>): QueryBuilder<E> {
    return this.#entities.createQueryBuilder<E>(entity).unsetFlag(QueryFlag.CONVERT_CUSTOM_TYPES) as QueryBuilder<E>
  }

  /** Values as the ORM's types of their columns write them: JSON and lists are one text each. */
  #stored<E extends object>(entity: EntityName<E>, data: object): Stored {
    const { properties } = this.#entities.getMetadata().get(entity)
    const columns = properties as unknown as Readonly<Record<string, Described>>
    const platform = this.#entities.getPlatform()
    const stored: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(data)) {
      if (value === undefined) continue
      const type = value === null || isRaw(value) ? undefined : columns[name]?.customType
      stored[name] = type ? type.convertToDatabaseValue(value, platform) : value
    }
    return stored as Stored
  }

  /** Adds the filters of the entity to a condition. Throws outside of a scope. */
  async #seen<E extends object>(
    entity: EntityName<E>,
    where: Where<E>,
    type: 'read' | 'update' | 'delete',
  ): Promise<QBFilterQuery<E>> {
    return (
      ((await this.#entities.applyFilters<E>(entity, where as FilterQuery<E>, {}, type)) as
        | QBFilterQuery<E>
        | undefined) ?? {}
    )
  }

  #ask<Given extends object, Row extends object = never>(
    form: string,
    given: Given,
    build: (given: Given) => Query,
  ): Promise<Row[]> {
    return this.#run(this.#texts.statement(form, given, (values) => this.#bound(build(values))))
  }

  #bound({ sql, params }: Query): BoundStatement {
    return bindStatement(sql, params, (name) => this.#entities.getPlatform().quoteIdentifier(name))
  }

  #run<Row extends object>({ sql, parameters }: BoundStatement): Promise<Row[]> {
    return this.#session.query(sql, parameters) as Promise<Row[]>
  }
}

import {
  isRaw,
  type AnyEntity,
  type EntityData,
  type EntityName,
  type EventSubscriber,
  type FilterQuery,
  type FlushEventArgs,
  type QueryOrderMap,
  type QueryResult,
} from '@mikro-orm/core'
import { PgliteConnection, PgliteDriver } from '@mikro-orm/pglite'
import { PostgreSqlConnection, PostgreSqlDriver, SqlEntityManager, type QBFilterQuery } from '@mikro-orm/postgresql'
import { bindStatement } from './orm-statement.ts'
import { OrmTexts } from './orm-texts.ts'
import { rowsOf, type DefinedEntity, type RecordOf } from './rows-of.ts'
import type { SqlParameter } from './rows.ts'

interface Session {
  query(sql: string, parameters: readonly SqlParameter[]): Promise<object[]>
}

/** What the ORM's statements and transactions go through in place of a connection of its own. */
interface Served extends Session {
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>
}

type Asked = Parameters<PostgreSqlConnection['execute']>
type Answer = QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]
type Wrapped = Parameters<PostgreSqlConnection['transactional']>

/** What the ORM takes for a transaction. */
export class UnitContext {
  /** Null: each statement for itself. */
  readonly session: Session | null

  constructor(session: Session | null) {
    this.session = session
  }
}

/** Of a unit of work with one change: a statement is a transaction. */
const ALONE = new UnitContext(null)

/** A text of the ORM's with its values. */
interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** Sends what the ORM asks to an open database; before there is one, the ORM migrates over a connection of its own. */
class Way {
  /** Of this database: they name its schema. */
  readonly texts = new OrmTexts()
  #to: Served | null = null

  lead(to: Served): void {
    this.#to = to
  }

  /** Null: there is no open database yet. */
  execute(
    [query, values = [], method = 'all', context]: Asked,
    quoteName: (name: string) => string,
  ): Promise<Answer> | null {
    if (this.#to === null) return null
    if ((typeof query !== 'string' && !isRaw(query)) || !Array.isArray(values))
      throw new Error('a statement of the ORM that is no text with a list of values')
    const { sql, parameters } =
      typeof query === 'string'
        ? bindStatement(query, values, quoteName)
        : bindStatement(query.sql, query.params, quoteName)
    const session = sessionOf(context, this.#to)
    return method === 'run' ? run(session, sql, parameters) : read(session, sql, parameters, method)
  }

  /** Rows of a statement of one of few shapes (`OrmTexts`), as the session answers them. */
  ask<Given extends object>(
    form: string,
    given: Given,
    build: (given: Given) => Query,
    context: unknown,
    quoteName: (name: string) => string,
  ): Promise<object[]> {
    if (this.#to === null) throw new Error('the database is not open yet')
    const { sql, parameters } = this.texts.statement(form, given, (values) => {
      const query = build(values)
      return bindStatement(query.sql, query.params, quoteName)
    })
    return sessionOf(context, this.#to).query(sql, parameters)
  }

  /** Null: there is no open database yet. */
  transactional([work, options]: Wrapped): Promise<unknown> | null {
    if (this.#to === null) return null
    const within: unknown = options?.ctx
    if (within instanceof UnitContext) return work(within as never)
    return this.#to.transaction((session) => work(new UnitContext(session) as never))
  }
}

function sessionOf(context: unknown, outside: Session): Session {
  return context instanceof UnitContext && context.session !== null ? context.session : outside
}

async function read(
  session: Session,
  sql: string,
  parameters: readonly SqlParameter[],
  method: 'all' | 'get',
): Promise<Answer> {
  const rows = await session.query(sql, parameters)
  return method === 'all' ? rows : (rows[0] ?? {})
}

/** How many rows a statement wrote is counted by what it returns: sessions answer rows alone. */
function counted(sql: string): string {
  return sql.includes(' returning ') ? sql : `${sql} returning 1`
}

async function run(session: Session, sql: string, parameters: readonly SqlParameter[]): Promise<QueryResult> {
  const rows = await session.query(counted(sql), parameters)
  return {
    affectedRows: rows.length,
    insertId: undefined as never,
    ...(rows[0] === undefined ? {} : { row: rows[0] }),
    rows,
  }
}

class PostgresWay extends PostgreSqlConnection {
  readonly way = new Way()

  override execute<T extends Answer>(...asked: Asked): Promise<T> {
    return (
      (this.way.execute(asked, (name) => this.platform.quoteIdentifier(name)) as Promise<T> | null)
      ?? super.execute<T>(...asked)
    )
  }

  override transactional<T>(...wrapped: Wrapped): Promise<T> {
    return (this.way.transactional(wrapped) ?? super.transactional(...wrapped)) as Promise<T>
  }
}

class PgliteWay extends PgliteConnection {
  readonly way = new Way()

  override execute<T extends Answer>(...asked: Asked): Promise<T> {
    return (
      (this.way.execute(asked, (name) => this.platform.quoteIdentifier(name)) as Promise<T> | null)
      ?? super.execute<T>(...asked)
    )
  }

  override transactional<T>(...wrapped: Wrapped): Promise<T> {
    return (this.way.transactional(wrapped) ?? super.transactional(...wrapped)) as Promise<T>
  }
}

/**
 * PostgreSQL, over an open database; errors stay as they came, so that whoever asks hears of an outage and of
 * constraints as of any statement.
 */
export class PostgresUnits extends PostgreSqlDriver {
  protected override readonly connection = new PostgresWay(this.config)

  override createEntityManager(useContext?: boolean): never {
    return new UnitManager(this.config, this, this.metadata, useContext) as never
  }

  override convertException(error: Error): never {
    throw error
  }
}

/** The embedded database, the same way. */
export class PgliteUnits extends PgliteDriver {
  protected override readonly connection = new PgliteWay(this.config)

  override createEntityManager(useContext?: boolean): never {
    return new UnitManager(this.config, this, this.metadata, useContext) as never
  }

  override convertException(error: Error): never {
    throw error
  }
}

function wayOf(manager: SqlEntityManager): Way {
  const connection: unknown = manager.getConnection()
  if (!(connection instanceof PostgresWay || connection instanceof PgliteWay))
    throw new Error('the ORM has a connection that leads nowhere')
  return connection.way
}

/** From now on whatever the ORM asks goes through the database. */
export function leadUnits(manager: SqlEntityManager, to: Served): void {
  wayOf(manager).lead(to)
}

/** One change is one statement, which needs no begin and no commit. */
export class OneStatement implements EventSubscriber {
  onFlush({ em, uow }: FlushEventArgs): void {
    if (uow.getChangeSets().length === 1 && !em.isInTransaction()) em.setTransactionContext(ALONE)
  }
}

const READERS = new WeakMap<object, (row: never) => never>()

/** Compiled once an entity. */
function readerOf<P extends object>(entity: DefinedEntity<P>): (row: never) => RecordOf<DefinedEntity<P>> {
  const known = READERS.get(entity)
  if (known) return known
  const { read } = rowsOf(entity)
  READERS.set(entity, read as never)
  return read as never
}

/** An entity as `defineEntity` gives it: rows as the ORM holds them, and what the entity says of its columns. */
type Table<E, P> = EntityName<E> & DefinedEntity<P>
type Values<P extends object> = RecordOf<DefinedEntity<P>>
type Where<E> = FilterQuery<NoInfer<E>>
type Data<E> = EntityData<NoInfer<E>>

interface ReadRange<E> {
  readonly orderBy?: QueryOrderMap<NoInfer<E>>
  /** Most rows. */
  readonly limit?: number
  /** Rows that are passed over first; only with a limit. */
  readonly offset?: number
  /** How they are held until the transaction of the unit of work ends, by PostgreSQL's word for it. */
  readonly lock?: 'update' | 'no key update' | 'key share'
}

/**
 * Flushes outside of the ORM's own `AsyncLocalStorage`, which only tells hooks that flush again, of which there are
 * none: from its first use on it follows every promise of the process (measured).
 */
export class UnitManager extends SqlEntityManager {
  override async flush(): Promise<void> {
    const unit = this.getUnitOfWork()
    try {
      await unit['doCommit']()
    } finally {
      unit['postCommitCleanup']()
    }
  }

  /**
   * Rows as records, for whoever only looks at them: like `find` within the filters of the entity, but the text of a
   * statement is built once, and no row becomes an object that knows its changes. What was persisted and is not flushed
   * yet it does not see.
   */
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
        const query = this.createQueryBuilder<E>(entity).select('*').where(given.seen).orderBy(orderBy)
        const { sql, params } = (given.limit === undefined ? query : query.limit(given.limit, given.offset)).toQuery()
        return { sql: lock === undefined ? sql : `${sql} for ${lock}`, params }
      },
    )
    return rows.map(readerOf(entity))
  }

  /** The first of them; null: there is none. */
  async readOne<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    range: Omit<ReadRange<E>, 'limit'> = {},
  ): Promise<Values<P> | null> {
    const [first] = await this.read(entity, where, { ...range, limit: 1 })
    return first ?? null
  }

  /** `nativeUpdate` that answers the rows as they are from then on: one statement, within the filters of the entity. */
  async updated<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    data: Data<E>,
  ): Promise<Values<P>[]> {
    const rows = await this.#update<E>(entity, where, data, '*')
    return rows.map(readerOf(entity))
  }

  /** The same, of which only the number of rows is asked. */
  async changed<E extends object, P extends object>(
    entity: Table<E, P>,
    where: Where<E>,
    data: Data<E>,
  ): Promise<number> {
    return (await this.#update<E>(entity, where, data, '1')).length
  }

  async #update<E extends object>(
    entity: Table<E, unknown>,
    where: Where<E>,
    data: Data<E>,
    returning: '*' | '1',
  ): Promise<never[]> {
    const seen = await this.#seen(entity, where, 'update')
    return this.#ask(`update ${entity.tableName} ${returning}`, { seen, data }, (given) => {
      const query = this.createQueryBuilder<E>(entity).update(given.data).where(given.seen)
      const { sql, params } = (returning === '*' ? query.returning('*') : query).toQuery()
      return { sql: counted(sql), params }
    })
  }

  /** Throws outside of a scope. */
  async #seen<E extends object>(
    entity: EntityName<E>,
    where: Where<E>,
    type: 'read' | 'update',
  ): Promise<QBFilterQuery<E>> {
    return (
      ((await this.applyFilters<E>(entity, where as FilterQuery<E>, {}, type)) as QBFilterQuery<E> | undefined) ?? {}
    )
  }

  async #ask<Given extends object>(form: string, given: Given, build: (given: Given) => Query): Promise<never[]> {
    return (await wayOf(this).ask(form, given, build, this.getTransactionContext(), (name) =>
      this.getPlatform().quoteIdentifier(name),
    )) as never[]
  }
}

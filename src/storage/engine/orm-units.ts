import { isRaw, type AnyEntity, type EntityData, type EntityDictionary, type EntityName, type EventSubscriber, type FlushEventArgs, type QueryResult } from '@mikro-orm/core'
import { PgliteConnection, PgliteDriver } from '@mikro-orm/pglite'
import { PostgreSqlConnection, PostgreSqlDriver, SqlEntityManager, type QBFilterQuery } from '@mikro-orm/postgresql'
import { bindStatement } from './orm-statement.ts'
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

/** Sends what the ORM asks to an open database; before there is one, the ORM migrates over a connection of its own. */
class Way {
  #to: Served | null = null

  lead(to: Served): void {
    this.#to = to
  }

  /** Null: there is no open database yet. */
  execute([query, values = [], method = 'all', context]: Asked, quoteName: (name: string) => string): Promise<Answer> | null {
    if (this.#to === null) return null
    if (typeof query !== 'string' && !isRaw(query) || !Array.isArray(values)) throw new Error('a statement of the ORM that is no text with a list of values')
    const { sql, parameters } = typeof query === 'string' ? bindStatement(query, values, quoteName) : bindStatement(query.sql, query.params, quoteName)
    const session = context instanceof UnitContext && context.session !== null ? context.session : this.#to
    return method === 'run' ? run(session, sql, parameters) : read(session, sql, parameters, method)
  }

  /** Null: there is no open database yet. */
  transactional([work, options]: Wrapped): Promise<unknown> | null {
    if (this.#to === null) return null
    const within: unknown = options?.ctx
    if (within instanceof UnitContext) return work(within as never)
    return this.#to.transaction((session) => work(new UnitContext(session) as never))
  }
}

async function read(session: Session, sql: string, parameters: readonly SqlParameter[], method: 'all' | 'get'): Promise<Answer> {
  const rows = await session.query(sql, parameters)
  return method === 'all' ? rows : rows[0] ?? {}
}

/** How many rows a statement wrote is counted by what it returns: sessions answer rows alone. */
async function run(session: Session, sql: string, parameters: readonly SqlParameter[]): Promise<QueryResult> {
  const rows = await session.query(sql.includes(' returning ') ? sql : `${sql} returning 1`, parameters)
  return { affectedRows: rows.length, insertId: undefined as never, ...(rows[0] === undefined ? {} : { row: rows[0] }), rows }
}

class PostgresWay extends PostgreSqlConnection {
  readonly way = new Way()

  override execute<T extends Answer>(...asked: Asked): Promise<T> {
    return this.way.execute(asked, (name) => this.platform.quoteIdentifier(name)) as Promise<T> | null ?? super.execute<T>(...asked)
  }

  override transactional<T>(...wrapped: Wrapped): Promise<T> {
    return (this.way.transactional(wrapped) ?? super.transactional(...wrapped)) as Promise<T>
  }
}

class PgliteWay extends PgliteConnection {
  readonly way = new Way()

  override execute<T extends Answer>(...asked: Asked): Promise<T> {
    return this.way.execute(asked, (name) => this.platform.quoteIdentifier(name)) as Promise<T> | null ?? super.execute<T>(...asked)
  }

  override transactional<T>(...wrapped: Wrapped): Promise<T> {
    return (this.way.transactional(wrapped) ?? super.transactional(...wrapped)) as Promise<T>
  }
}

/** PostgreSQL, over an open database; errors stay as they came, so that whoever asks hears of an outage and of constraints as of any statement. */
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

/** From now on whatever the ORM asks goes through the database. */
export function leadUnits(manager: SqlEntityManager, to: Served): void {
  const connection: unknown = manager.getConnection()
  if (!(connection instanceof PostgresWay || connection instanceof PgliteWay)) throw new Error('the ORM has a connection that leads nowhere')
  connection.way.lead(to)
}

/** One change is one statement, which needs no begin and no commit. */
export class OneStatement implements EventSubscriber {
  onFlush({ em, uow }: FlushEventArgs): void {
    if (uow.getChangeSets().length === 1 && !em.isInTransaction()) em.setTransactionContext(ALONE)
  }
}

/**
 * Flushes outside of the ORM's own `AsyncLocalStorage`, which only tells hooks that flush again, of which there are none: from its first use on
 * it follows every promise of the process (measured).
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

  /** `nativeUpdate` that answers the rows as they are from then on: one statement, within the filters of the entity. */
  async updated<E extends object>(entity: EntityName<E>, where: QBFilterQuery<E>, data: EntityData<NoInfer<E>>): Promise<E[]> {
    const query = this.createQueryBuilder(entity).update(data).where(where)
    await query.applyFilters()
    const rows: EntityDictionary<E>[] = await query.returning('*').execute('all', false)
    return rows.map((row) => this.map(entity, row))
  }
}

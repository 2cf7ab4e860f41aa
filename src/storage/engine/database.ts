import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlEntityManager } from '@mikro-orm/postgresql'
import type { Outage } from './outage.ts'
import { CHORE_MS, EMBEDDED_MS, type Patience } from './patience.ts'
import type { ReadReplica } from './read-replica.ts'
import { OrmTexts } from './orm-texts.ts'
import { UnitManager } from './orm-units.ts'
import { digestOf, type SqlParameter, toParameter } from './rows.ts'
import { FILTERS, type Scope } from './scope.ts'

export type { SqlParameter } from './rows.ts'

/** Runs single statements with bound parameters (`$1`, `$2`, ...). */
export interface SqlSession {
  /** Answers the rows. Throws StoreAway, or the driver's error, whose `code` is the SQLSTATE. */
  query<R extends object>(sql: string, parameters?: readonly SqlParameter[]): Promise<R[]>
}

/** A statement whose text is one of few, and whose plan does not depend on how many rows a table has. */
export interface KeptStatement {
  /** A name that no other text has. */
  readonly name: string
  readonly sql: string
}

/** Reads of lists, which may come from a replica and then lack what was stored a moment ago. */
export interface ListSession extends SqlSession {
  queryKept<R extends object>(statement: KeptStatement, parameters: readonly SqlParameter[]): Promise<R[]>
}

/** Names a statement for `queryKept`. Made once, not for each run. */
export function keptStatement(sql: string): KeptStatement {
  return { name: `kept_${digestOf(sql).slice(0, 24)}`, sql }
}

/** Drops the fields in which PostgreSQL repeats values of rows, so that logged errors hold no phone numbers. */
function withoutValues(error: unknown): unknown {
  if (error instanceof Error) {
    for (const field of ['detail', 'where', 'internalQuery']) Reflect.deleteProperty(error, field)
  }
  return error
}

/** SQLSTATE of a unique violation. */
const UNIQUE_VIOLATION = '23505'

/** True when the error is the violation of this unique constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error
    && 'code' in error
    && error.code === UNIQUE_VIOLATION
    && 'constraint' in error
    && error.constraint === constraint
  )
}

/** SQLSTATE of a foreign key that leads nowhere. */
const FOREIGN_KEY_VIOLATION = '23503'

/** True when the number or account that a row belongs to was removed before the row was stored. */
export function isOwnerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
}

/** SQLSTATEs of a connection that does not keep statements for its client, as behind some poolers: nothing ran. */
const UNKEPT: ReadonlySet<unknown> = new Set(['26000', '42P05'])

function isUnkept(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNKEPT.has(error.code)
}

/**
 * The driver itself, without the query builder, which costs as much as a statement (measured), and which never gives up
 * the only connection of the embedded database when a transaction cannot be begun (measured).
 */
export interface NativeDatabase {
  query(sql: string, parameters: SqlParameter[], patience: Patience): Promise<object[]>
  /** One statement of a request that is parsed and planned once a connection, by its name. */
  queryKept(name: string, sql: string, parameters: SqlParameter[]): Promise<object[]>
  /** Commits, or rolls back when `work` throws. */
  transaction<T>(work: (session: SqlSession) => Promise<T>, patience: Patience): Promise<T>
  /** Rolls back what a failing script left open. */
  script(text: string): Promise<object[]>
  close(): Promise<void>
}

/** Bounds of the embedded database, which keeps none of its own. */
const EMBEDDED_BOUNDS: Readonly<Record<Patience, number>> = { request: EMBEDDED_MS, chore: CHORE_MS }

/**
 * An open database: single statements and transactions on the driver's connections, and units of work whose statements
 * the ORM writes. Hot statements are raw SQL (docs/decisions/0033-tables.md). Everything throws StoreAway while the
 * database or its disk is away.
 */
export class Database implements SqlSession {
  readonly kind: 'postgres' | 'pglite'
  /** True when this opening made the tables. */
  readonly isNew: boolean
  /** Statements of recurring work and of removals, which may take CHORE_MS each. */
  readonly chores: SqlSession = { query: (sql, parameters = []) => this.#query(sql, parameters, 'chore') }
  /**
   * Statements of lists: read from the replica where one serves, otherwise from here. Not for a read that must see a
   * write before it, nor for one that a write is decided on.
   */
  readonly lists: ListSession = {
    query: async <R extends object>(sql: string, parameters: readonly SqlParameter[] = []) =>
      ((await this.#replica?.read({ sql }, parameters)) as R[] | null) ?? this.query<R>(sql, parameters),
    queryKept: async <R extends object>(statement: KeptStatement, parameters: readonly SqlParameter[]) =>
      ((await this.#replica?.read(statement, parameters)) as R[] | null) ?? this.queryKept<R>(statement, parameters),
  }
  readonly #replica: ReadReplica | null
  #manager: SqlEntityManager
  /** Statements' texts of this database: they name its schema. */
  readonly #texts = new OrmTexts()
  #native: NativeDatabase
  #outage: Outage
  #isClosed = false
  #keepsStatements = true
  /**
   * Recognises queries inside a transaction. Null where they would not hang, because following every promise costs
   * (measured).
   */
  readonly #watch: AsyncLocalStorage<{ isOpen: boolean }> | null

  /** Called by `openDatabase` only. */
  constructor(
    kind: 'postgres' | 'pglite',
    manager: SqlEntityManager,
    native: NativeDatabase,
    outage: Outage,
    isNew: boolean,
    replica: ReadReplica | null = null,
  ) {
    this.kind = kind
    this.#replica = replica
    this.isNew = isNew
    this.#watch = kind === 'pglite' ? new AsyncLocalStorage() : null
    this.#manager = manager
    this.#native = native
    this.#outage = outage
  }

  /** True when something could not be stored lately because the disk of the database is full. */
  get isFull(): boolean {
    return this.#outage.isFull
  }

  query<R extends object>(sql: string, parameters: readonly SqlParameter[] = []): Promise<R[]> {
    return this.#query<R>(sql, parameters, 'request')
  }

  async #query<R extends object>(sql: string, parameters: readonly SqlParameter[], patience: Patience): Promise<R[]> {
    this.#refuseInside()
    return this.#guard(() => this.#native.query(sql, parameters.map(toParameter), patience) as Promise<R[]>, patience)
  }

  /**
   * Like `query`, but the database parses and plans the text once per connection, which for a long statement costs more
   * than running it (measured). The plan stays until a table it reads is analyzed. Behind a pooler that keeps no
   * statements the text is planned each time.
   */
  async queryKept<R extends object>({ name, sql }: KeptStatement, parameters: readonly SqlParameter[]): Promise<R[]> {
    this.#refuseInside()
    if (!this.#keepsStatements) return this.query<R>(sql, parameters)
    try {
      return await this.#guard(
        () => this.#native.queryKept(name, sql, parameters.map(toParameter)) as Promise<R[]>,
        'request',
      )
    } catch (error) {
      if (!isUnkept(error)) throw error
      this.#keepsStatements = false
      return this.query<R>(sql, parameters)
    }
  }

  /**
   * Runs several statements in one text, without parameters, and answers all their rows. May hold its own begin and
   * commit. Only for chores.
   */
  async script(text: string): Promise<object[]> {
    this.#refuseInside()
    return this.#guard(() => this.#native.script(text), 'chore')
  }

  /** Commits what `work` did through its session, or rolls back when it throws. Never await the network inside. */
  async transaction<T>(work: (session: SqlSession) => Promise<T>, patience: Patience = 'request'): Promise<T> {
    this.#refuseInside()
    return this.#guard(
      () => this.#native.transaction((session) => this.#watched(() => work(session)), patience),
      patience,
    )
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    if (this.#watch === null) return work()
    const state = { isOpen: true }
    try {
      return await this.#watch.run(state, work)
    } finally {
      state.isOpen = false
    }
  }

  /**
   * A unit of work of which each call is a statement by itself. It sees rows of the scope alone where their entity says
   * whose they are; without a scope a query of such an entity fails.
   */
  entities(scope: Scope | null = null): UnitManager {
    return this.#units(scope, this)
  }

  /** A unit of work in a transaction of its own; the session is that of its statements. */
  async unitOfWork<T>(
    scope: Scope | null,
    work: (rows: UnitManager, session: SqlSession) => Promise<T>,
    patience: Patience = 'request',
  ): Promise<T> {
    return this.transaction((session) => work(this.#units(scope, session), session), patience)
  }

  #units(scope: Scope | null, session: SqlSession): UnitManager {
    const manager = this.#manager.fork()
    if (scope !== null) for (const filter of FILTERS) manager.setFilterParams(filter, { scope })
    return new UnitManager(manager, this.#texts, session)
  }

  async #guard<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
    try {
      return await this.#outage.guard(work, this.kind === 'pglite' ? EMBEDDED_BOUNDS[patience] : null)
    } catch (error) {
      throw withoutValues(error)
    }
  }

  #refuseInside(): void {
    if (this.#watch?.getStore()?.isOpen)
      throw new Error('a query outside the open transaction: use the session it was given')
  }

  /** Waits for what runs and closes. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#outage.stop()
    await this.#replica?.close()
    await this.#native.close()
  }
}

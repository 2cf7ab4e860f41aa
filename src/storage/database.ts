import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlEntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery, type Kysely } from 'kysely'
import { toStorable } from './rows.ts'

/** What one parameter of a statement may be; times go as ISO text with a cast, lists with a cast to their array type. */
export type SqlParameter = string | number | boolean | null | readonly string[]

/** Runs single statements with bound parameters (`$1`, `$2`, ...). */
export interface SqlSession {
  /** Answers the rows. Throws the driver's error, whose `code` is the SQLSTATE. */
  query<R extends object>(sql: string, parameters?: readonly SqlParameter[]): Promise<R[]>
}

function toParameter(value: SqlParameter): SqlParameter {
  if (typeof value === 'string') return toStorable(value)
  return value !== null && typeof value === 'object' ? value.map(toStorable) : value
}

type Queries = Kysely<Record<string, never>>

async function run<R extends object>(queries: Queries, sql: string, parameters: readonly SqlParameter[]): Promise<R[]> {
  const compiled = CompiledQuery.raw(sql, parameters.map(toParameter))
  try {
    const result = await queries.executeQuery(compiled)
    return result.rows as R[]
  } catch (error) {
    throw withoutValues(error)
  }
}

function sessionOver(queries: Queries): SqlSession {
  return { query: (sql, parameters = []) => run(queries, sql, parameters) }
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
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error && error.constraint === constraint
}

/** What the ORM has no words for. */
export interface NativeDatabase {
  /** One statement straight to the driver, where that is cheaper than the query builder. */
  query?(sql: string, parameters: SqlParameter[]): Promise<object[]>
  /** Rolls back what a failing text left open. */
  script(text: string): Promise<object[]>
  close(): Promise<void>
}

/**
 * An open database: single statements and transactions on the ORM's connection, and its unit of
 * work for reads. Hot statements are raw SQL (architecture 5).
 */
export class Database implements SqlSession {
  readonly kind: 'postgres' | 'pglite'
  #manager: SqlEntityManager
  /** Of no transaction; kept, because a fork for every statement costs as much as the statement (measured). */
  #queries: Queries
  #native: NativeDatabase
  #isClosed = false
  /** Tells queries inside a transaction; only where they would hang, because following every promise costs (measured). */
  readonly #watch: AsyncLocalStorage<{ isOpen: boolean }> | null

  /** Made by `openDatabase`. */
  constructor(kind: 'postgres' | 'pglite', manager: SqlEntityManager, native: NativeDatabase) {
    this.kind = kind
    this.#watch = kind === 'pglite' ? new AsyncLocalStorage() : null
    this.#manager = manager
    this.#queries = manager.fork().getKysely<Record<string, never>>()
    this.#native = native
  }

  async query<R extends object>(sql: string, parameters: readonly SqlParameter[] = []): Promise<R[]> {
    this.#refuseInside()
    if (!this.#native.query) return run<R>(this.#queries, sql, parameters)
    try {
      return await this.#native.query(sql, parameters.map(toParameter)) as R[]
    } catch (error) {
      throw withoutValues(error)
    }
  }

  /** Runs several statements in one text, without parameters, and answers all their rows. May hold its own begin and commit. */
  async script(text: string): Promise<object[]> {
    this.#refuseInside()
    try {
      return await this.#native.script(text)
    } catch (error) {
      throw withoutValues(error)
    }
  }

  /** Commits what `work` did through its session, or rolls back when it throws. Never await the network inside. */
  async transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const watch = this.#watch
    if (watch === null) return this.#queries.transaction().execute((queries) => work(sessionOver(queries)))
    const state = { isOpen: true }
    try {
      return await this.reader().transactional((manager) => {
        const session = sessionOver(manager.getKysely<Record<string, never>>())
        return watch.run(state, () => work(session))
      })
    } finally {
      state.isOpen = false
    }
  }

  /**
   * A fresh unit of work for reads. Throws inside a transaction of this database: the embedded
   * one has a single session, and a query from outside would wait for ever.
   */
  reader(): SqlEntityManager {
    this.#refuseInside()
    return this.#manager.fork()
  }

  #refuseInside(): void {
    if (this.#watch?.getStore()?.isOpen) throw new Error('a query outside the open transaction: use the session it was given')
  }

  /** Waits for what runs and closes. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#native.close()
  }
}

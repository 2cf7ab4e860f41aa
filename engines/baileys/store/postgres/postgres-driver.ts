import { Pool, types, type ClientConfig } from 'pg'
import { fieldOf, type Change } from '../changes.ts'
import type { Driver } from '../driver.ts'
import { QUERIES, type Query } from '../queries.ts'
import { statementOf, type Statement } from '../statement.ts'
import { holdStore } from './holder.ts'
import { migrate } from './migrate.ts'
import { applyCall, FIELDS } from './schema.ts'

export interface PostgresOptions {
  readonly url: string
  readonly schema: string
  /** 32 bytes; whether they are those of the store is checked. */
  readonly key: Buffer
  /**
   * Called once when the database is lost: the connection that holds the store ended, or a statement failed for no
   * fault of its values. Whether a commit under way is stored is not known, so nothing may be acknowledged any more.
   */
  readonly lost: (why: string) => void
}

/** our choice: most connections for reads and commits; a read waits for few commits then. */
const CONNECTIONS = 8
/** our choice: most commits under way, so that reads find a connection. What waits meanwhile shares the next one. */
const LANES = 4
/** our choice, in ms: how long the first connection may take to be made. */
const CONNECT_MS = 10_000
/**
 * our choice, in ms: how long a statement may wait for a connection, and then for its answer, purges included. A server
 * that is gone is noticed sooner, by the connection that holds the store.
 */
const STATEMENT_MS = 60_000
/** our choice: how often a commit is tried that others stood in the way of. */
const TRIES = 5
/** SQLSTATE: classes 22 and 23 are faults of the values; with these two of class 40 others stood in the way. */
const FAULT_OF_VALUES = /^(22|23)/
const IN_THE_WAY = /^(40001|40P01)$/
/** OID of bigint; all numbers here are far below 2^53. */
const BIGINT = 20

/**
 * Opens the store in a schema of a PostgreSQL database, and makes it when there is none. Throws a StartFault that says
 * what to do. A commit is one call of a function: one transaction and one way to the server.
 */
export async function openPostgres({ url, schema, key, lost }: PostgresOptions): Promise<Driver> {
  let isLost = false
  function lose(why: string): void {
    if (isLost) return
    isLost = true
    lost(why)
  }
  const config = configOf(url)
  const holder = await holdStore(config, `engine store ${schema}`, lose)
  try {
    await migrate(holder.client, schema, key)
  } catch (error) {
    await holder.release()
    throw error
  }
  const pool = new Pool({
    ...config,
    max: CONNECTIONS,
    query_timeout: STATEMENT_MS,
    connectionTimeoutMillis: STATEMENT_MS,
  })
  // A connection that breaks while nobody uses it; who uses one hears of it by himself.
  pool.on('error', () => {})
  return {
    ...driverOver(pool, schema, lose),
    async close() {
      isLost = true
      await pool.end()
      await holder.release()
    },
  }
}

function driverOver(pool: Pool, schema: string, lose: (why: string) => void): Omit<Driver, 'close'> {
  const queries = Object.fromEntries(
    Object.entries(QUERIES).map(([name, sql]) => [name, statementOf(inSchema(schema, sql), (place) => `$${place}`)]),
  ) as Record<Query, Statement>
  const keys = `select id, value from ${schema}.keys where number_id = $1 and type = $2 and id = any($3::text[])`
  const apply = applyCall(schema)

  async function query(name: string, text: string, values: unknown[]): Promise<readonly unknown[]> {
    try {
      return (await pool.query({ name, text, values })).rows
    } catch (error) {
      if (!FAULT_OF_VALUES.test(codeOf(error)) && !IN_THE_WAY.test(codeOf(error)))
        lose(error instanceof Error ? error.message : 'a statement failed')
      throw error
    }
  }

  async function commit(values: unknown[]): Promise<readonly number[]> {
    for (let left = TRIES - 1; ; left--) {
      try {
        const [row] = (await query('apply', apply, values)) as { counts: number[] }[]
        return row?.counts ?? []
      } catch (error) {
        if (left === 0 || !IN_THE_WAY.test(codeOf(error))) throw error
      }
    }
  }

  return {
    lanes: LANES,
    read(name, values) {
      const { text, fields } = queries[name]
      return query(
        name,
        text,
        fields.map((field) => values[field]),
      ) as never
    },
    keys: (numberId, type, ids) => query('keys', keys, [numberId, type, ids]) as never,
    commit: (changes) => commit(columnsOf(changes)),
  }
}

function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'engine',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A commit that answered survives a crash, whatever the server's default is.
    options: '-c synchronous_commit=on',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  }
}

/** The changes as columns; null where none of them has the field. */
function columnsOf(changes: readonly Change[]): unknown[] {
  return FIELDS.map((field) => {
    const column = changes.map((change) => fieldOf(change, field) ?? null)
    return column.every((value) => value === null) ? null : column
  })
}

/** Names the schema of each table that a query reads. */
function inSchema(schema: string, sql: string): string {
  return sql.replaceAll(/ from (\w+)/g, ` from ${schema}.$1`)
}

/** SQLSTATE, or the code of a broken connection; empty for neither. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

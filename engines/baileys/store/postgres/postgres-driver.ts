import { Pool, types, type ClientConfig } from 'pg'
import type { NodeId } from '../../../../src/domain/ids.ts'
import type { LeaseTimes } from '../../../../src/domain/lease-times.ts'
import type { Clock } from '../../../../src/ports/clock.ts'
import type { Log } from '../../../../src/ports/log.ts'
import { fieldOf, type Change } from '../changes.ts'
import type { Driver } from '../driver.ts'
import { HoldFault, type Hold } from '../hold.ts'
import { leasedHolds } from '../leased-holds.ts'
import { QUERIES, type Query } from '../queries.ts'
import { statementOf, type Statement } from '../statement.ts'
import { leaseRows } from './lease-rows.ts'
import { migrate } from './migrate.ts'
import { applyCall, FENCED, FIELDS } from './schema.ts'

export interface PostgresOptions {
  readonly url: string
  readonly schema: string
  /** 32 bytes; whether they are those of the store is checked. */
  readonly key: Buffer
  /** Names this engine in the leases; new with each start. */
  readonly engineId: string
  readonly times: LeaseTimes
  readonly clock: Clock
  readonly log: Log
}

/** our choice: most connections for reads and commits; a read waits for few commits then. */
const CONNECTIONS = 8
/** our choice: most commits under way, so that reads find a connection. What waits meanwhile shares the next one. */
const LANES = 4
/** our choice: leases have connections of their own, so that no read or commit makes them late. */
const LEASE_CONNECTIONS = 2
/** our choice, in ms: how long a connection may take to be made. */
const CONNECT_MS = 10_000
/** our choice, in ms: how long a statement may wait for a connection, and then for its answer, purges included. */
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
export async function openPostgres(options: PostgresOptions): Promise<Driver> {
  const { url, schema, key, clock, log, times } = options
  const config = configOf(url)
  await migrate(config, schema, key)
  const pool = poolOf({ ...config, query_timeout: STATEMENT_MS, connectionTimeoutMillis: STATEMENT_MS }, CONNECTIONS)
  const leasePool = poolOf({ ...config, connectionTimeoutMillis: times.renewMs }, LEASE_CONNECTIONS)
  const leases = leaseRows({ pool: leasePool, schema, engineId: options.engineId as NodeId, times })
  const holds = leasedHolds({ leases, clock, log })
  return {
    ...driverOver(pool, schema),
    holds,
    async close() {
      await holds.close()
      await Promise.all([pool.end(), leasePool.end()])
    },
  }
}

function poolOf(config: ClientConfig, max: number): Pool {
  const pool = new Pool({ ...config, max })
  // A connection that breaks while nobody uses it; who uses one hears of it by himself.
  pool.on('error', () => {})
  return pool
}

function driverOver(pool: Pool, schema: string): Omit<Driver, 'close' | 'holds'> {
  const queries = Object.fromEntries(
    Object.entries(QUERIES).map(([name, sql]) => [name, readOf(schema, sql)]),
  ) as unknown as Record<Query, Statement>
  const keys = readOf(
    schema,
    'select id, value from keys where number_id = :numberId and type = :type and id = any(:ids)',
  )
  const apply = applyCall(schema)

  async function query(name: string, text: string, values: unknown[]): Promise<readonly unknown[]> {
    try {
      return (await pool.query({ name, text, values })).rows
    } catch (error) {
      throw faultOf(error)
    }
  }

  function read(
    name: string,
    { text, fields }: Statement,
    values: Readonly<Record<string, unknown>>,
    hold: Hold | null,
  ) {
    const given: Readonly<Record<string, unknown>> = { ...values, heldNumber: hold?.numberId, heldToken: hold?.token }
    return query(
      name,
      text,
      fields.map((field) => given[field]),
    )
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
    read: (name, values, hold) => read(name, queries[name], values, hold) as never,
    keys: (type, ids, hold) => read('keys', keys, { numberId: hold.numberId, type, ids }, hold) as never,
    commit: (changes, held) =>
      commit([held.map(({ numberId }) => numberId), held.map(({ token }) => token), ...columnsOf(changes)]),
  }
}

/** The connection settings of the store. */
export function configOf(url: string): ClientConfig {
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

/**
 * A query on the tables of the schema. One of a number fails unless the number is held: the check stands alone, so that
 * it is made once before anything is read.
 */
function readOf(schema: string, sql: string): Statement {
  const held = sql.replace(
    ' where number_id = :numberId',
    ` where (select ${schema}.held(:heldNumber, :heldToken)) and number_id = :numberId`,
  )
  return statementOf(held.replaceAll(/ from (\w+)/g, ` from ${schema}.$1`), (place, field) =>
    field === 'ids' ? `$${place}::text[]` : `$${place}`,
  )
}

/**
 * A fault of the values is the caller's, and a commit that others stood in the way of is tried again. After any other
 * fault nobody knows what is stored.
 */
function faultOf(error: unknown): unknown {
  const code = codeOf(error)
  if (FAULT_OF_VALUES.test(code) || IN_THE_WAY.test(code)) return error
  const why = error instanceof Error ? error.message : 'a statement failed'
  return new HoldFault(why, code === FENCED ? numbersIn(error) : null)
}

/** The numbers that a fenced statement names. */
function numbersIn(error: unknown): ReadonlySet<string> | null {
  const { detail } = error as { detail?: string }
  const numbers: unknown = detail === undefined ? null : JSON.parse(detail)
  return Array.isArray(numbers) ? new Set(numbers.map(String)) : null
}

/** SQLSTATE, or the code of a broken connection; empty for neither. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

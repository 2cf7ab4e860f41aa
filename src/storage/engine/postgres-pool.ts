import type { Pool, PoolClient } from 'pg'
import { BoundedClient } from './bounded-client.ts'
import type { NativeDatabase, SqlSession } from './database.ts'
import { awayKindOf, isConnectionSpent } from './failures.ts'
import { IDLE_MS, type Patience } from './patience.ts'
import { toParameter } from './rows.ts'

/**
 * Begins a transaction whose bound for its next statement is set with it: a pooler that gives each transaction another
 * connection does not lose it.
 */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${IDLE_MS}`

/** Bounds transactions that others begin on a connection, as the ORM does for migrations. */
export async function boundIdle(client: PoolClient): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${IDLE_MS}`)
}

/** Tells a connection whose statements it carries now. */
export async function setPatience(client: PoolClient, patience: Patience): Promise<void> {
  if (client instanceof BoundedClient) await client.setPatience(patience)
}

/**
 * Runs work on one connection. A connection that is of no more use, or that cannot be reset for the next work, leaves
 * the pool.
 */
async function onClient<T>(pool: Pool, patience: Patience, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isSpent = false
  try {
    await setPatience(client, patience)
    return await work(client)
  } catch (error) {
    const kind = awayKindOf(error)
    isSpent = kind !== null && isConnectionSpent(kind)
    throw error
  } finally {
    if (!isSpent && patience === 'chore')
      isSpent = await setPatience(client, 'request').then(
        () => false,
        () => true,
      )
    client.release(isSpent)
  }
}

/** Rolls back what failing work left open. When the rollback fails the connection is of no use, and is cut. */
async function rolledBack<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await client.query('rollback').catch(() => client instanceof BoundedClient && client.cut())
    throw error
  }
}

/** Sends several statements to one connection as the driver does: the ORM's dialect would drop their rows. */
async function runScript(client: PoolClient, text: string): Promise<object[]> {
  const results: unknown = await client.query(text)
  return (Array.isArray(results) ? results : [results]).flatMap((result: { rows?: object[] }) => result.rows ?? [])
}

async function runTransaction<T>(client: PoolClient, work: (session: SqlSession) => Promise<T>): Promise<T> {
  const session: SqlSession = {
    query: async (sql, parameters = []) => (await client.query(sql, parameters.map(toParameter))).rows,
  }
  await client.query(BEGIN)
  const value = await work(session)
  await client.query('commit')
  return value
}

/** The connections that the pool has at the moment. */
export function connectionsOf(pool: Pool): ReadonlySet<BoundedClient> {
  const connections = new Set<BoundedClient>()
  pool.on('connect', (client) => {
    if (client instanceof BoundedClient) connections.add(client)
  })
  pool.on('remove', (client) => {
    if (client instanceof BoundedClient) connections.delete(client)
  })
  return connections
}

/** The pool in the form that the database needs. */
export function poolDatabase(pool: Pool, close: () => Promise<void>): NativeDatabase {
  return {
    query: (text, values, patience) =>
      onClient(pool, patience, async (client) => (await client.query({ text, values })).rows),
    queryKept: (name, text, values) =>
      onClient(pool, 'request', async (client) => (await client.query({ name, text, values })).rows),
    script: (text) => onClient(pool, 'chore', (client) => rolledBack(client, () => runScript(client, text))),
    transaction: (work, patience) =>
      onClient(pool, patience, (client) => rolledBack(client, () => runTransaction(client, work))),
    close,
  }
}

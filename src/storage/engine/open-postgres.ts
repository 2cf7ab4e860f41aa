import type { EntitySchema } from '@mikro-orm/core'
import { MikroORM as PostgresOrm } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import { boundedClients, probeServer } from './bounded-client.ts'
import { Database, type NativeDatabase } from './database.ts'
import { commonOptions, type DatabaseOptions, managerOf, migrate } from './orm-options.ts'
import { Outage } from './outage.ts'
import { CONNECT_MS } from './patience.ts'
import { boundIdle, connectionsOf, poolDatabase, setPatience } from './postgres-pool.ts'
import { ReadReplica, type ReplicaOptions } from './read-replica.ts'

/** our choice: connections to PostgreSQL unless configured. */
const POOL_SIZE = 10
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Migrates under an advisory lock, so that nodes started together take turns. The lock belongs to a connection and so
 * ends with this process, whatever happens. It is not taken in a transaction of the ORM, because the first of those
 * makes Node follow every promise from then on, a quarter of a read's CPU (measured). Answers whether there were no
 * tables before.
 */
async function migratePostgres(orm: PostgresOrm, schema: string | undefined): Promise<boolean> {
  const pool = await orm.em.getConnection().getNativeClient()
  const client = await pool.connect()
  let isLocked = false
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [
      `channel messaging migrations ${schema ?? ''}`,
    ])
    isLocked = true
    if (schema !== undefined) await client.query(`create schema if not exists "${schema}"`)
    const isNew = await migrate(orm.migrator)
    await client.query('select pg_advisory_unlock_all()')
    isLocked = false
    return isNew
  } finally {
    client.release(isLocked)
  }
}

/** A migration runs on one connection while another holds the lock. */
const LEAST_CONNECTIONS = 2

/**
 * Options of the ORM. `isServing` is asked as a connection opens: true once migrations are over and requests wait on
 * it.
 */
function ormOptions(
  databaseUrl: string,
  schema: string | undefined,
  options: DatabaseOptions,
  entities: EntitySchema[],
  isServing: () => boolean,
) {
  return {
    ...commonOptions(options.log, entities),
    clientUrl: databaseUrl,
    ...(schema === undefined ? {} : { schema }),
    pool: { max: Math.max(LEAST_CONNECTIONS, options.poolSize ?? POOL_SIZE) },
    driverOptions: {
      // The whole URL: the ORM reads host and database from it, but not sslmode and the like.
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS * (options.patience ?? 1),
      Client: boundedClients(options.clock, options.patience ?? 1),
      onConnect: (client: PoolClient) => (isServing() ? setPatience(client, 'request') : boundIdle(client)),
      ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
    },
  }
}

/** Opens PostgreSQL and brings its tables up to date. Throws the driver's error. */
export async function openPostgres(
  databaseUrl: string,
  options: DatabaseOptions,
  entities: EntitySchema[],
): Promise<Database> {
  // The ORM honours ?schema= of the URL; raw SQL must look in the same place.
  const schema = options.schema ?? new URL(databaseUrl).searchParams.get('schema') ?? undefined
  if (schema !== undefined && !SCHEMA_NAME.test(schema)) throw new Error('a schema name is a lower-case identifier')
  let isServing = false
  const orm = await PostgresOrm.init(ormOptions(databaseUrl, schema, options, entities, () => isServing))
  const pool = await orm.em.getConnection().getNativeClient()
  const connections = connectionsOf(pool)
  const outage = new Outage({
    ...options,
    probe: () => probeServer({ connectionString: databaseUrl }),
    cut: () => connections.forEach((connection) => connection.cut()),
  })
  let isNew = false
  try {
    isNew = await migratePostgres(orm, schema)
    isServing = true
    await hasten(pool)
  } catch (error) {
    await orm.close(true)
    throw error
  }
  const native = poolDatabase(pool, () => orm.close(true))
  return new Database(
    'postgres',
    managerOf(orm),
    native,
    outage,
    isNew,
    await openReplica(options, { schema, types: pool.options.types }, native),
  )
}

/** Opens the replica. One that is away is no fault: lists are read from the primary until it is back. */
async function openReplica(
  options: DatabaseOptions,
  as: Pick<ReplicaOptions, 'schema' | 'types'>,
  native: NativeDatabase,
): Promise<ReadReplica | null> {
  const { readUrl = null, clock, log, metrics = null, poolSize = POOL_SIZE } = options
  if (readUrl === null) return null
  const primaryPlace = async (): Promise<string> => {
    const [row] = (await native.query('select pg_current_wal_lsn()::text as place', [], 'request')) as {
      readonly place: string
    }[]
    return row?.place ?? ''
  }
  const replica = new ReadReplica({ ...as, url: readUrl, poolSize, clock, log, metrics, primaryPlace })
  await replica.start()
  return replica
}

/** Gives the connections that migrated the patience of requests, which wait from now on. */
async function hasten(pool: Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of clients) {
    await setPatience(client, 'request')
    client.release()
  }
}

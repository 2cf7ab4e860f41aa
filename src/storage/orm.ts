import { join } from 'node:path'
import { Migrator } from '@mikro-orm/migrations'
import { MikroORM as PgliteOrm } from '@mikro-orm/pglite'
import { MikroORM as PostgresOrm, SqlEntityManager } from '@mikro-orm/postgresql'
import { MIGRATIONS } from '../../migrations/list.ts'
import type { Log } from '../ports/log.ts'
import { lockDirectory } from './data-dir-lock.ts'
import { Database } from './database.ts'
import { ENTITIES } from './entities.ts'
import { PgliteClient } from './pglite-client.ts'

export interface DatabaseOptions {
  /** `postgres://...`, or null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number
  /** PostgreSQL schema to use and to make when missing; the database's default otherwise. */
  readonly schema?: string
  readonly log: Log
}

/** The ORM as both drivers give it. */
interface Orm {
  readonly em: object
  readonly migrator: { up(): Promise<unknown> }
  close(force?: boolean): Promise<void>
}

/** our choice: connections to PostgreSQL unless configured. */
const POOL_SIZE = 10
/** our choice: a caller waits this long for a connection before its request fails. */
const CONNECT_TIMEOUT_MS = 10_000
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** Both drivers give the same manager; their types do not say so. */
function managerOf(orm: Orm): SqlEntityManager {
  if (orm.em instanceof SqlEntityManager) return orm.em
  throw new Error('the ORM gave no SQL entity manager')
}

function commonOptions(log: Log) {
  return {
    entities: ENTITIES,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, tableName: 'schema_migrations', snapshot: false, disableForeignKeys: false, silent: true },
    ensureDatabase: false,
    logger: (text: string) => log.warn({ text }, 'database driver says'),
    colors: false,
  }
}

/**
 * Migrates under an advisory lock, so that nodes started together take turns. The lock is of a connection and so ends
 * with this process, whatever happens. Not in a transaction of the unit of work: the first of those makes Node follow
 * every promise from then on, a quarter of a read's CPU (measured).
 */
async function migratePostgres(orm: PostgresOrm, schema: string | undefined): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient()
  const client = await pool.connect()
  let isLocked = false
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`channel messaging migrations ${schema ?? ''}`])
    isLocked = true
    if (schema !== undefined) await client.query(`create schema if not exists "${schema}"`)
    await orm.migrator.up()
    await client.query('select pg_advisory_unlock_all()')
    isLocked = false
  } finally {
    client.release(isLocked)
  }
}

/** Several statements go to one connection as the driver sends them: the ORM's dialect would drop their rows. */
async function runOnPool(orm: PostgresOrm, text: string): Promise<object[]> {
  const pool = await orm.em.getConnection().getNativeClient()
  const client = await pool.connect()
  let isBroken = false
  try {
    const results: unknown = await client.query(text)
    return (Array.isArray(results) ? results : [results]).flatMap((result: { rows?: object[] }) => result.rows ?? [])
  } catch (error) {
    await client.query('rollback').catch(() => { isBroken = true })
    throw error
  } finally {
    client.release(isBroken)
  }
}

async function openPostgres(databaseUrl: string, options: DatabaseOptions): Promise<Database> {
  // The ORM honours ?schema= of the URL; raw SQL must look in the same place.
  const schema = options.schema ?? new URL(databaseUrl).searchParams.get('schema') ?? undefined
  if (schema !== undefined && !SCHEMA_NAME.test(schema)) throw new Error('a schema name is a lower-case identifier')
  const orm = await PostgresOrm.init({
    ...commonOptions(options.log),
    clientUrl: databaseUrl,
    ...(schema === undefined ? {} : { schema }),
    // Two at least: a migration runs on one connection while another holds the lock.
    pool: { max: Math.max(2, options.poolSize ?? POOL_SIZE) },
    driverOptions: {
      // The whole URL: the ORM reads host and database from it, but not sslmode and the like.
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
    },
  })
  try {
    await migratePostgres(orm, schema)
  } catch (error) {
    await orm.close(true)
    throw error
  }
  const pool = await orm.em.getConnection().getNativeClient()
  return new Database('postgres', managerOf(orm), {
    query: async (sql, parameters) => (await pool.query(sql, parameters)).rows,
    script: (text) => runOnPool(orm, text),
    close: () => orm.close(true),
  })
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const lock = await lockDirectory(options.dataDir, 'database.lock')
  const client = new PgliteClient(join(options.dataDir, 'pglite'), options.log)
  let orm: Orm | null = null
  const close = async (): Promise<void> => {
    await orm?.close(true)
    await client.close()
    await lock.release()
  }
  try {
    await client.waitReady
    const opened: Orm = await PgliteOrm.init({ ...commonOptions(options.log), dbName: 'postgres', driverOptions: { pglite: () => client } })
    orm = opened
    await opened.migrator.up()
    return new Database('pglite', managerOf(opened), { script: (text) => client.script(text), close })
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens PostgreSQL, or the embedded database in a worker thread, and brings its tables up to
 * date. The embedded one locks its directory first, because it does not do so itself: a second
 * process in it loses rows (measured). Throws when locked, unreachable or not migratable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === null ? openEmbedded(options) : openPostgres(options.databaseUrl, options)
}

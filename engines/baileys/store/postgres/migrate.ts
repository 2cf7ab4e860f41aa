import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { StartFault } from '../../process/config.ts'
import { MOVES } from '../moves.ts'
import { createSeal } from '../seal.ts'
import { functions, LEASES, SCHEMA_VERSION, TABLES } from './schema.ts'

const PROOF = 'the store of an engine'
const CONTEXT = ['proof']
/** our choice: how long, in ms, an engine waits for others that start at the same time. */
const PATIENCE_MS = 10_000
const TRY_MS = 100
/** PostgreSQL's words for a database that one has no part in: SQLSTATE class 28, and 3D000. */
const REFUSED = /^(28|3D)/

/**
 * Makes the tables where there are none, and brings them and the functions to this version. Throws a StartFault that
 * says what to do when the database cannot be reached, when a newer engine made the tables, when they were sealed with
 * another key, or when the user may not make them.
 */
export async function migrate(config: ClientConfig, schema: string, key: Buffer): Promise<void> {
  const client = new Client(config)
  // What breaks the connection fails the statement under way, too.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw connectFault(error)
  })
  try {
    await client.query('begin')
    await lock(client, schema)
    await prepare(client, schema, key)
    await client.query('commit')
  } catch (error) {
    throw migrateFault(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Lets one engine after the other prepare the database. Engines from before leases hold this lock while they run. */
async function lock(client: Client, schema: string): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const { rows } = await client.query<{ is_ours: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_ours',
      [`engine store ${schema}`],
    )
    if (rows[0]?.is_ours) return
    if (Date.now() >= until)
      throw new StartFault(
        'ENGINE_DATABASE_URL names a database that an older engine holds alone: stop it, then start this one',
      )
    await pause(TRY_MS)
  }
}

async function prepare(client: Client, schema: string, key: Buffer): Promise<void> {
  const seal = createSeal(key)
  if ((await client.query('select from pg_namespace where nspname = $1', [schema])).rowCount === 0)
    await client.query(`create schema ${schema}`)
  await client.query(`set local search_path = ${schema}`)
  if (!(await isMade(client, schema))) {
    await client.query(TABLES)
    const proof = seal.seal(CONTEXT, Buffer.from(PROOF))
    await client.query('insert into store (version, proof) values (1, $1)', [proof])
  }
  const version = await check(client, (proof) => seal.open(CONTEXT, proof))
  if (version === SCHEMA_VERSION) return
  if (version < 2) await client.query(`${LEASES};${MOVES}`)
  await client.query(functions(schema))
  await client.query('update store set version = $1', [SCHEMA_VERSION])
}

async function isMade(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ is_made: boolean }>('select to_regclass($1) is not null as is_made', [
    `${schema}.store`,
  ])
  return rows[0]?.is_made === true
}

/** Gives the version of the tables. */
async function check(client: Client, open: (proof: Uint8Array) => Buffer): Promise<number> {
  const { rows } = await client.query<{ version: number; proof: Uint8Array }>('select version, proof from store')
  const [store] = rows
  if (!store || store.version > SCHEMA_VERSION)
    throw new StartFault(
      'ENGINE_DATABASE_URL names a database that a newer engine wrote: use that one, or another database',
    )
  try {
    open(store.proof)
  } catch {
    throw new StartFault(
      'ENGINE_KEY is not the key that the database of ENGINE_DATABASE_URL was sealed with: set it to that key',
    )
  }
  return store.version
}

/** What to do about a database that cannot be reached. The address is not told, because a password may stand in it. */
function connectFault(error: unknown): StartFault {
  const { code = '', message } = error as { code?: string; message: string }
  if (REFUSED.test(code))
    return new StartFault(`ENGINE_DATABASE_URL is refused (${message}): name a user and a database that are there`)
  return new StartFault(
    `ENGINE_DATABASE_URL cannot be reached (${code || message}): start PostgreSQL, or correct host and port`,
  )
}

function migrateFault(error: unknown): Error {
  if (error instanceof StartFault || !(error instanceof Error)) return error as Error
  return new StartFault(
    `The database of ENGINE_DATABASE_URL cannot be used (${error.message}): let its user create a schema in it`,
  )
}

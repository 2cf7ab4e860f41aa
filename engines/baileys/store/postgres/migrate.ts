import type { Client } from 'pg'
import { StartFault } from '../../process/config.ts'
import { createSeal } from '../seal.ts'
import { applyFunction, SCHEMA_VERSION, TABLES } from './schema.ts'

const PROOF = 'the store of an engine'
const CONTEXT = ['proof']

/**
 * Makes the tables where there are none, and brings the function of commits to this engine's. `client` holds the store
 * alone. Throws a StartFault when a newer engine made the tables, when they were sealed with another key, or when the
 * user may not make them.
 */
export async function migrate(client: Client, schema: string, key: Buffer): Promise<void> {
  const seal = createSeal(key)
  try {
    await client.query('begin')
    if ((await client.query('select from pg_namespace where nspname = $1', [schema])).rowCount === 0)
      await client.query(`create schema ${schema}`)
    await client.query(`set local search_path = ${schema}`)
    if (!(await isMade(client, schema))) {
      await client.query(TABLES)
      const proof = seal.seal(CONTEXT, Buffer.from(PROOF))
      await client.query('insert into store (version, proof) values ($1, $2)', [SCHEMA_VERSION, proof])
    }
    await check(client, (proof) => seal.open(CONTEXT, proof))
    await client.query(applyFunction(schema))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw migrateFault(error)
  }
}

async function isMade(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ is_made: boolean }>('select to_regclass($1) is not null as is_made', [
    `${schema}.store`,
  ])
  return rows[0]?.is_made === true
}

async function check(client: Client, open: (proof: Uint8Array) => Buffer): Promise<void> {
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
}

function migrateFault(error: unknown): Error {
  if (error instanceof StartFault || !(error instanceof Error)) return error as Error
  return new StartFault(
    `The database of ENGINE_DATABASE_URL cannot be used (${error.message}): let its user create a schema in it`,
  )
}

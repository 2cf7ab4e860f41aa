import type { Config } from '../process/config.ts'
import { openDatabase, storeKey } from './sqlite/database.ts'
import { sqliteDriver } from './sqlite/sqlite-driver.ts'
import { createStore, type Store } from './store.ts'

/** The schema of the engine's tables in a PostgreSQL database. */
const SCHEMA = 'engine'

export interface StoreEvents {
  /**
   * Called once when the store cannot be written any more. It has to end the process before it returns: nothing may be
   * acknowledged to the network then.
   */
  readonly lost: (why: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** Opens the store that the configuration names. Throws a StartFault that says what to do. */
export async function openStore(
  { dataDir, databaseUrl, key }: Pick<Config, 'dataDir' | 'databaseUrl' | 'key'>,
  { lost, now }: StoreEvents,
): Promise<Store> {
  if (databaseUrl !== null && key !== null) {
    // Loaded only where it is used: an engine with a store of its own needs no client of PostgreSQL in memory.
    const { openPostgres } = await import('./postgres/postgres-driver.ts')
    return createStore(await openPostgres({ url: databaseUrl, schema: SCHEMA, key, lost }), key, now)
  }
  const db = openDatabase(dataDir)
  return createStore(sqliteDriver(db), storeKey(dataDir, key), now)
}

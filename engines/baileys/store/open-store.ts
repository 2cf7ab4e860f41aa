import { leaseTimesOf } from '../../../src/domain/lease-times.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { StartFault, type Config } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import type { Driver } from './driver.ts'
import { moveCommand, type PlaceKind } from './moves.ts'
import { openDatabase, storeKey } from './sqlite/database.ts'
import { linkedInFolder } from './sqlite/left-behind.ts'
import { sqliteDriver } from './sqlite/sqlite-driver.ts'
import { createStore, type Store } from './store.ts'

/** The schema of the engine's tables in a PostgreSQL database. */
export const SCHEMA = 'engine'

export interface StoreParts {
  /** Names this engine in the leases of a fleet; new with each start. */
  readonly engineId: string
  readonly clock: Clock
  readonly log: Log
}

export type StoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'key' | 'leaseMs'>

/**
 * Opens the store that the configuration names. Throws a StartFault that says what to do, also where a move of numbers
 * was interrupted, since such a number may have gone on in the other place, and where all numbers moved away.
 */
export async function openStore(config: StoreConfig, { engineId, clock, log }: StoreParts): Promise<Store> {
  const { dataDir, databaseUrl: url, key, leaseMs } = config
  const now = (): number => clock.now()
  if (url !== null && key !== null) {
    // Loaded only where it is used: an engine with a store of its own needs no client of PostgreSQL in memory.
    const { openPostgres } = await import('./postgres/postgres-driver.ts')
    const times = leaseTimesOf(leaseMs)
    const driver = await openPostgres({ url, schema: SCHEMA, key, engineId, times, clock, log })
    await refuseMoved(driver, 'postgres')
    await refuseLeftBehind(driver, dataDir)
    return createStore(driver, key, now)
  }
  const driver = sqliteDriver(openDatabase(dataDir))
  await refuseMoved(driver, 'sqlite')
  return createStore(driver, storeKey(dataDir, key), now)
}

/**
 * Refuses PostgreSQL while numbers are still in the folder's SQLite: their gateways would be told, for good, that they
 * are unlinked.
 */
async function refuseLeftBehind(driver: Driver, dataDir: string): Promise<void> {
  const linked = linkedInFolder(dataDir)
  if (linked === 0) return
  await driver.close()
  throw new StartFault(
    linked === 'held'
      ? `ENGINE_DATABASE_URL is set, and another engine runs on the SQLite store in ENGINE_DATA_DIR ${dataDir}: stop it, and run \`${moveCommand('sqlite')}\`, or set ENGINE_DATA_DIR to another folder`
      : `ENGINE_DATABASE_URL is set, and the SQLite store in ENGINE_DATA_DIR ${dataDir} still holds ${linked} linked ${linked === 1 ? 'number' : 'numbers'}: run \`${moveCommand('sqlite')}\`, or set ENGINE_DATA_DIR to another folder`,
  )
}

/** Refuses a place whose numbers are elsewhere, or may be: their gateways would be told that they are unlinked. */
async function refuseMoved(driver: Driver, place: PlaceKind): Promise<void> {
  const [leaving, gone] = await Promise.all([driver.read('leaving', {}, null), driver.read('gone', {}, null)])
  if (leaving.length + gone.length === 0) return
  await driver.close()
  if (leaving.length > 0)
    throw new StartFault(
      `A move of the store was interrupted while ${leaving.map((row) => row.number_id).join(', ')} went: run \`${moveCommand(place)}\` again, with the same ENGINE_DATA_DIR and ENGINE_DATABASE_URL, before an engine starts here`,
    )
  throw new StartFault(
    place === 'sqlite'
      ? `The numbers of ENGINE_DATA_DIR were moved to PostgreSQL: set ENGINE_DATABASE_URL, move them back (\`${moveCommand('postgres')}\`), or set ENGINE_DATA_DIR to another folder`
      : `The numbers of ENGINE_DATABASE_URL were moved to SQLite: unset it, move them back (\`${moveCommand('sqlite')}\`), or name another database`,
  )
}

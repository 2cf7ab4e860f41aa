import type { Database } from './engine/database.ts'
import { openEmbedded } from './engine/open-embedded.ts'
import { openPostgres } from './engine/open-postgres.ts'
import type { DatabaseOptions } from './engine/orm-options.ts'
import { ENTITIES } from './entities.ts'

/**
 * Opens PostgreSQL, or the embedded database in a worker thread, and brings its tables up to date. The directory of the
 * embedded one is locked first, because it does not lock itself: a second process in it loses rows (measured). Throws
 * when locked, unreachable or not migratable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === null
    ? openEmbedded(options, ENTITIES)
    : openPostgres(options.databaseUrl, options, ENTITIES)
}

import { openDatabase } from '../../src/storage/open-database.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'

/** Reads rows of a database that no other process has open: the one at the URL, or the embedded one in a directory. */
export async function rowsIn<T extends object>(databaseUrl: string | null, dataDir: string, sql: string): Promise<T[]> {
  const database = await openDatabase({ databaseUrl, dataDir, log: silentLog, clock: systemClock })
  return await database.query<T>(sql).finally(() => database.close())
}

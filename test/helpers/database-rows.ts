import { openDatabase } from '../../src/storage/open-database.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'

/** Rows of a database that nobody else has open: the one of the URL, or the embedded one of a directory. */
export async function rowsIn<T extends object>(databaseUrl: string | null, dataDir: string, sql: string): Promise<T[]> {
  const database = await openDatabase({ databaseUrl, dataDir, log: silentLog, clock: systemClock })
  return await database.query<T>(sql).finally(() => database.close())
}

import { openJobs } from '../../src/jobs/jobs.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'

/** Creates an embedded database with its tables and its job queue in an empty directory. */
export async function migrate(dataDir: string): Promise<void> {
  const database = await openDatabase({ databaseUrl: null, dataDir, log: silentLog, clock: systemClock })
  const jobs = await openJobs(database, silentLog)
  await jobs.close()
  await database.close()
}

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { ImplementationFn, TestFn } from 'ava'
import { openDatabase } from '../../src/storage/engine/orm.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { copyMigrated } from './migrated-folder.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'
import { TEST_DATABASE_URL } from './test-servers.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface TestDatabase {
  readonly database: Database
  /** Closes it and removes what it left. */
  close(): Promise<void>
}

/** The embedded database in a directory of its own, migrated. Costs 0.5 s and 300 MB: one a test file. */
export async function openTestPglite(): Promise<TestDatabase> {
  const directory = await temporaryDirectory()
  await copyMigrated(directory.path)
  const database = await openDatabase({ databaseUrl: null, dataDir: directory.path, log: silentLog, clock: systemClock })
  return {
    database,
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

/** PostgreSQL in a schema of its own. */
export async function openTestPostgres(databaseUrl: string, clock: Clock = systemClock): Promise<TestDatabase & { readonly schema: string }> {
  const schema = `test_${randomBytes(6).toString('hex')}`
  const database = await openDatabase({ databaseUrl, dataDir: tmpdir(), schema, poolSize: 8, log: silentLog, clock })
  return {
    schema,
    database,
    async close() {
      await database.query(`drop schema if exists "${schema}_jobs" cascade`)
      await database.query(`drop schema "${schema}" cascade`)
      await database.close()
    },
  }
}

/** PostgreSQL where the environment names one, else the embedded database. */
export function openTestDatabase(): Promise<TestDatabase> {
  return TEST_DATABASE_URL ? openTestPostgres(TEST_DATABASE_URL) : openTestPglite()
}

/** Opens before the tests of a file and closes after them, whatever happened; answers how to get it. */
export function sharedDatabase(test: TestFn, open: () => Promise<TestDatabase>): () => Database {
  let opened: TestDatabase | null = null
  const start: ImplementationFn<[]> = async () => {
    opened = await open()
  }
  test.before(start)
  test.after.always(async () => {
    await opened?.close()
  })
  return () => {
    if (!opened) throw new Error('the database of the tests is not open')
    return opened.database
  }
}

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { ImplementationFn, TestFn } from 'ava'
import { openDatabase } from '../../src/storage/open-database.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { copyMigrated } from './migrated-folder.ts'
import { patientClock, systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'
import { TEST_DATABASE_URL } from './test-servers.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { within } from './until.ts'

export interface TestDatabase {
  readonly database: Database
  /** Closes the database and removes its data. */
  close(): Promise<void>
}

/**
 * How many times longer tests wait for the database than the service does, because a busy machine is no fault of the
 * tests.
 */
const PATIENCE = 30

/** The real clock, with longer timers. */
const lateClock = patientClock(systemClock, PATIENCE)

/**
 * Opens the embedded database in a directory of its own, migrated. It costs 0.5 s and 300 MB, so a test file opens one.
 */
export async function openTestPglite(): Promise<TestDatabase> {
  const directory = await temporaryDirectory()
  await copyMigrated(directory.path)
  const database = await openDatabase({ databaseUrl: null, dataDir: directory.path, log: silentLog, clock: lateClock })
  return {
    database,
    async close() {
      await within('the database closes', database.close())
      await directory.remove()
    },
  }
}

/** Opens PostgreSQL in a schema of its own. */
export async function openTestPostgres(
  databaseUrl: string,
  clock: Clock = lateClock,
  patience: number = clock === lateClock ? PATIENCE : 1,
): Promise<TestDatabase & { readonly schema: string }> {
  const schema = `test_${randomBytes(6).toString('hex')}`
  const database = await openDatabase({
    databaseUrl,
    dataDir: tmpdir(),
    schema,
    poolSize: 8,
    log: silentLog,
    clock,
    patience,
  })
  return {
    schema,
    database,
    async close() {
      await database.query(`drop schema if exists "${schema}_jobs" cascade`)
      await database.query(`drop schema "${schema}" cascade`)
      await within('the database closes', database.close())
    },
  }
}

/** Opens PostgreSQL when the environment names one, else the embedded database. */
export function openTestDatabase(): Promise<TestDatabase> {
  return TEST_DATABASE_URL ? openTestPostgres(TEST_DATABASE_URL) : openTestPglite()
}

/** Databases that files of this thread share, by the function that opened them. */
const shared = new Map<() => Promise<TestDatabase>, { readonly opening: Promise<TestDatabase>; users: number }>()

function join(open: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const joined = shared.get(open) ?? { opening: open(), users: 0 }
  shared.set(open, joined)
  joined.users += 1
  return joined.opening
}

async function leave(open: () => Promise<TestDatabase>): Promise<void> {
  const joined = shared.get(open)
  if (!joined) return
  joined.users -= 1
  if (joined.users > 0) return
  shared.delete(open)
  await (await joined.opening).close()
}

/**
 * Opens a database before the tests of a file and closes it after them, whatever happened; returns how to get it. Files
 * of one thread share what the same function opens.
 */
export function sharedDatabase(test: TestFn, open: () => Promise<TestDatabase>): () => Database {
  let opened: TestDatabase | null = null
  const start: ImplementationFn<[]> = async () => {
    opened = await join(open)
  }
  test.before(start)
  test.after.always(() => leave(open))
  return () => {
    if (!opened) throw new Error('the database of the tests is not open')
    return opened.database
  }
}

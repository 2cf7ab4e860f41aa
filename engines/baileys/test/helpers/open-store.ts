import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { systemClock } from '../../../../src/process/clock.ts'
import { createLog } from '../../process/log.ts'
import type { StoreParts } from '../../store/open-store.ts'
import { openDatabase } from '../../store/sqlite/database.ts'
import { sqliteDriver } from '../../store/sqlite/sqlite-driver.ts'
import { createStore, type Store } from '../../store/store.ts'

export const KEY = Buffer.alloc(32, 7)

/** What a store needs beside its configuration. */
export const STORE_PARTS: StoreParts = { engineId: 'eng_test', clock: systemClock, log: createLog('silent', () => {}) }

/** Makes a folder that is removed after the test. */
export function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store in a folder; opening it again shows what an engine finds after a kill. */
export function openStore(folder: string, now: () => number = () => Date.now()): Store {
  return createStore(sqliteDriver(openDatabase(folder)), KEY, now)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { openDatabase } from '../../store/database.ts'
import { createStore, type Store } from '../../store/store.ts'

export const KEY = Buffer.alloc(32, 7)

/** A folder that is gone after the test. */
export function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store in a folder; opened again, it is what an engine finds that was killed. */
export function openStore(folder: string, now: () => number = () => Date.now()): Store {
  return createStore(openDatabase(folder), KEY, now)
}

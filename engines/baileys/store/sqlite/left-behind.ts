import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'

/**
 * Counts the linked numbers in the SQLite store of a folder, for an engine whose own store is elsewhere. `held` when an
 * engine has it open; 0 where there is no store, or none that can be read. It makes no file, and locks only what an
 * engine that was killed left behind, for as long as the reading takes.
 */
export function linkedInFolder(dataDir: string): number | 'held' {
  const file = join(dataDir, 'engine.sqlite')
  if (!existsSync(file)) return 0
  try {
    const db = hasLog(file) ? openWithLog(file) : openAsItIs(file)
    try {
      return Number(db.prepare('select count(*) as numbers from sessions').get()?.['numbers'])
    } finally {
      db.close()
    }
  } catch (error) {
    return error instanceof Error && /locked|busy/i.test(error.message) ? 'held' : 0
  }
}

/** Whether commits stand beside the file: an engine has it open, or was killed. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function openAsItIs(file: string): DatabaseSync {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

/** The lock keeps SQLite from making a file of shared memory. */
function openWithLog(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec('pragma locking_mode = exclusive; pragma busy_timeout = 0')
  return db
}

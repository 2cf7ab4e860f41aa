import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock } from '../process/clock.ts'
import { backUp, type BackedUp } from '../storage/engine/backup.ts'
import { lockDirectory } from '../storage/engine/data-dir-lock.ts'
import { DATABASE_FOLDER, DATABASE_LOCK } from '../storage/engine/open-embedded.ts'

/**
 * Backs up an installation whose gateway does not run, and keeps one from starting meanwhile. Throws in words why it
 * cannot.
 */
export async function backUpAtRest(dataDir: string, to: string): Promise<BackedUp> {
  await stat(join(dataDir, DATABASE_FOLDER)).catch(() => {
    throw new Error(`${resolve(dataDir)} holds no embedded database: set DATA_DIR to the one you mean`)
  })
  const locks = [await lockDirectory(dataDir)]
  try {
    locks.push(await lockDirectory(dataDir, DATABASE_LOCK))
    return await backUp({ dataDir, clock: systemClock, still: (work) => work() }, to)
  } finally {
    for (const lock of locks) await lock.release()
  }
}

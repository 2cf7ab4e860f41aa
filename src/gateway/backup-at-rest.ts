import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { addressOfFiles, type BucketSettings } from '../domain/bucket-settings.ts'
import { systemClock } from '../process/clock.ts'
import { backUp } from '../storage/engine/backup.ts'
import { lockDirectory } from '../storage/engine/data-dir-lock.ts'
import { DATABASE_FOLDER, DATABASE_LOCK } from '../storage/engine/open-embedded.ts'
import type { Backup } from './backup-desk.ts'

interface Installation {
  readonly dataDir: string
  /** The bucket of files; null when they are in the data directory. */
  readonly files: BucketSettings | null
}

/**
 * Backs up an installation whose gateway does not run, and keeps one from starting meanwhile. Throws in words why it
 * cannot.
 */
export async function backUpAtRest({ dataDir, files }: Installation, to: string): Promise<Backup> {
  await stat(join(dataDir, DATABASE_FOLDER)).catch(() => {
    throw new Error(`${resolve(dataDir)} holds no embedded database: set DATA_DIR to the one you mean`)
  })
  const locks = [await lockDirectory(dataDir)]
  try {
    locks.push(await lockDirectory(dataDir, DATABASE_LOCK))
    const made = await backUp({ dataDir, clock: systemClock, still: (work) => work() }, to)
    return { ...made, bucket: files && addressOfFiles(files) }
  } finally {
    for (const lock of locks) await lock.release()
  }
}

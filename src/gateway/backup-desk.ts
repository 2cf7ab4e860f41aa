import { z } from 'zod'
import { addressOfFiles, type BucketSettings } from '../domain/bucket-settings.ts'
import type { Clock } from '../ports/clock.ts'
import { backUp, type BackedUp } from '../storage/engine/backup.ts'
import type { Database } from '../storage/engine/database.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** A backup, and the files that belong to it and are not in it. */
export interface Backup extends BackedUp {
  /** Address of the files that are in a bucket; null when all are in the backup. */
  readonly bucket: string | null
}

export interface BackupDeskDeps {
  /** The bucket of files; null when they are in the data directory. */
  readonly files: BucketSettings | null
  readonly database: Pick<Database, 'kind' | 'transaction'>
  readonly dataDir: string
  readonly clock: Clock
}

const WANTED = z.object({ to: z.string().min(1) })

/**
 * Backs up the installation of the running gateway to the folder of this absolute path. Throws in words why it cannot.
 */
export function backupCommands({ database, dataDir, clock, files }: BackupDeskDeps): AdminCommands {
  // A transaction holds the embedded database alone. It writes nothing, and a checkpoint before it leaves the copy
  // little to recover.
  const still = async (work: () => Promise<void>): Promise<void> => {
    await database.transaction(async (session) => {
      await session.query('checkpoint')
      await work()
    }, 'chore')
  }
  return {
    async '/backup'(body) {
      if (database.kind !== 'pglite')
        throw new Error('the gateway runs on PostgreSQL, which has backups of its own: see docs/scale.md')
      const made = await backUp({ dataDir, clock, still }, WANTED.parse(body).to)
      return { ...made, bucket: files && addressOfFiles(files) } satisfies Backup
    },
  }
}

/** Asks a running gateway; null when none listens in this data directory. */
export function askForBackup(dataDir: string, to: string): Promise<Backup | null> {
  return ask(dataDir, '/backup', { to })
}

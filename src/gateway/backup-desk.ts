import { z } from 'zod'
import type { Clock } from '../ports/clock.ts'
import { backUp, type BackedUp } from '../storage/engine/backup.ts'
import type { Database } from '../storage/engine/database.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

export interface BackupDeskDeps {
  readonly database: Pick<Database, 'kind' | 'transaction'>
  readonly dataDir: string
  readonly clock: Clock
}

const WANTED = z.object({ to: z.string().min(1) })

/**
 * Backs up the installation of the running gateway to the folder of this absolute path. Throws in words why it cannot.
 */
export function backupCommands({ database, dataDir, clock }: BackupDeskDeps): AdminCommands {
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
      return await backUp({ dataDir, clock, still }, WANTED.parse(body).to)
    },
  }
}

/** Asks a running gateway; null when none listens in this data directory. */
export function askForBackup(dataDir: string, to: string): Promise<BackedUp | null> {
  return ask(dataDir, '/backup', { to })
}

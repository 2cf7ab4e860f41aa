import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { systemClock } from '../process/clock.ts'
import { tellDatabase } from '../process/database-line.ts'
import { createLog } from '../process/log.ts'
import { databaseFault } from '../process/start-fault.ts'
import { openDatabase } from '../storage/open-database.ts'
import { loadOrCreateSecrets } from '../storage/engine/secrets.ts'
import { openCipher } from '../storage/resealing/installed-cipher.ts'
import { openStores, type Stores } from '../storage/stores.ts'

/** What a command uses when it runs without a gateway. */
export interface Beside {
  readonly stores: Stores
  readonly log: Log
  readonly clock: Clock
}

/** Runs work on the stores when no gateway runs in this data directory. */
export async function directly<T>(config: Config, name: string, work: (beside: Beside) => Promise<T>): Promise<T> {
  const encryptionKey = config.encryptionKey ?? (await loadOrCreateSecrets(config.dataDir)).encryptionKey
  const { databaseUrl, dataDir } = config
  const [clock, log] = [systemClock, createLog(name, 'error')]
  const database = await openDatabase({ databaseUrl, dataDir, log, clock }).catch((error: unknown) => {
    throw databaseFault(databaseUrl, error) ?? error
  })
  tellDatabase({ of: 'command', databaseUrl, dataDir, isNew: database.isNew })
  try {
    return await work({
      stores: openStores({ database, cipher: await openCipher(database, encryptionKey), clock }),
      log,
      clock,
    })
  } finally {
    await database.close()
  }
}

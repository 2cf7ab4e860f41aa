import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { systemClock } from '../process/clock.ts'
import { databaseLine, type UsedDatabase } from '../process/database-line.ts'
import { createLog } from '../process/log.ts'
import { databaseFault } from '../process/start-fault.ts'
import { AesCipher } from '../storage/engine/cipher.ts'
import { openDatabase } from '../storage/engine/orm.ts'
import { loadOrCreateSecrets } from '../storage/engine/secrets.ts'
import { openStores, type Stores } from '../storage/stores.ts'

/** What a command works with that does without a gateway. */
export interface Beside {
  readonly stores: Stores
  readonly log: Log
  readonly clock: Clock
}

/** On stderr, so that what a command answers can be read by a program. */
function tellDatabase(used: UsedDatabase): void {
  process.stderr.write(`${databaseLine(used)}\n`)
}

/** An operator's command: asks the gateway that runs in the data directory, or does it without one. */
export async function askOrDo<T>(config: Config, name: string, ask: (dataDir: string) => Promise<T | null>, work: (beside: Beside) => Promise<T>): Promise<T> {
  const { dataDir } = config
  const asked = ask(dataDir)
  // One that refuses runs too.
  if (await asked.then((answer) => answer !== null, () => true)) tellDatabase({ of: 'gateway', dataDir })
  return await asked ?? await directly(config, name, work)
}

/** Without a gateway in this data directory. */
async function directly<T>(config: Config, name: string, work: (beside: Beside) => Promise<T>): Promise<T> {
  const encryptionKey = config.encryptionKey ?? (await loadOrCreateSecrets(config.dataDir)).encryptionKey
  const { databaseUrl, dataDir } = config
  const [clock, log] = [systemClock, createLog(name, 'error')]
  const database = await openDatabase({ databaseUrl, dataDir, log, clock }).catch((error: unknown) => {
    throw (databaseUrl === null ? null : databaseFault(databaseUrl, error)) ?? error
  })
  tellDatabase({ of: 'command', databaseUrl, dataDir, isNew: database.isNew })
  try {
    return await work({ stores: openStores({ database, cipher: new AesCipher(Buffer.from(encryptionKey, 'base64')), clock }), log, clock })
  } finally {
    await database.close()
  }
}

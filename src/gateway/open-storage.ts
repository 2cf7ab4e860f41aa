import { RowLeases } from '../cluster/lease-rows.ts'
import type { NodeId } from '../domain/ids.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Leases } from '../ports/leases.ts'
import { databaseFault, inOneLine } from '../process/start-fault.ts'
import { AesCipher } from '../storage/engine/cipher.ts'
import { lockDirectory } from '../storage/engine/data-dir-lock.ts'
import type { Database } from '../storage/engine/database.ts'
import { openDatabase } from '../storage/engine/orm.ts'
import { loadOrCreateNodeId, type Secrets } from '../storage/engine/secrets.ts'
import { assertSealedWith } from '../storage/keys/material.ts'
import { openStores, type Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import { PURGES } from './upkeep.ts'

/** The database, everything kept in it, and who this node is. */
export interface Storage {
  readonly nodeId: NodeId
  readonly database: Database
  readonly cipher: Cipher
  readonly stores: Stores
  readonly leases: Leases
  /** Has `wake` called after each commit that stored events; it must be quick. */
  onEvents(wake: () => void): void
  /** The same after each commit that had names of ads asked for. */
  onAds(wake: () => void): void
}

/** Takes the data directory, opens the database and makes its stores. */
export async function openStorage({ config, clock, log, closing, upkeep }: Core, { encryptionKey }: Pick<Secrets, 'encryptionKey'>): Promise<Storage> {
  const lock = await lockDirectory(config.dataDir).catch(inOneLine('DATA_DIR'))
  closing.add('lock', () => lock.release())
  const nodeId = await loadOrCreateNodeId(config.dataDir).catch(inOneLine('DATA_DIR'))
  const { databaseUrl } = config
  const database = await openDatabase({ databaseUrl, dataDir: config.dataDir, poolSize: config.databasePool, log, clock }).catch((error: unknown) => {
    throw (databaseUrl === null ? null : databaseFault(databaseUrl, error)) ?? error
  })
  closing.add('database', () => database.close())
  const cipher = new AesCipher(Buffer.from(encryptionKey, 'base64'))
  await assertSealedWith(database, cipher).catch(inOneLine(null))
  let wakeUp = (): void => {}
  let askForAds = (): void => {}
  const stores = openStores({ database, cipher, clock, limits: config.defaultLimits, onEvents: () => wakeUp(), onAds: () => askForAds() })
  upkeep.add({ name: 'purge-idempotency', ...PURGES, run: () => stores.idempotency.purge() })
  upkeep.add({ name: 'purge-flow-keys', ...PURGES, run: () => stores.flowKeys.purge() })
  upkeep.add({ name: 'purge-changes', ...PURGES, run: () => stores.inbound.purge() })
  return {
    nodeId, database, cipher, stores, leases: new RowLeases(database, nodeId),
    onEvents: (wake) => { wakeUp = wake },
    onAds: (wake) => { askForAds = wake },
  }
}

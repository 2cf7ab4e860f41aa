import type { NodeId } from '../domain/ids.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { ChangedRows } from '../ports/inbox-feed.ts'
import type { MovesTold } from '../ports/tenant-feed.ts'
import { databaseFault, inOneLine } from '../process/start-fault.ts'
import { lockDirectory } from '../storage/engine/data-dir-lock.ts'
import type { Database } from '../storage/engine/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { type DueChecks, lookForDue, ROWS_DUE } from '../storage/due.ts'
import { openCipher } from '../storage/resealing/installed-cipher.ts'
import { openStores, type Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import { PURGES } from './upkeep.ts'

/** The database, the stores in it, and the identity of this node. */
export interface Storage {
  readonly nodeId: NodeId
  readonly database: Database
  readonly cipher: Cipher
  readonly stores: Stores
  /** Calls `wake` after each commit that stored events; it must be quick. */
  onEvents(wake: () => void): void
  /** Calls `tell` after each commit that changed messages without an event; it must be quick. */
  onChanged(tell: (rows: ChangedRows) => void): void
  /** Calls `told` after each commit that moved a call, a number or a conversation without an event; must be quick. */
  onMoved(told: MovesTold): void
  /** Calls `wake` after each commit that asked for names of ads; it must be quick. */
  onAds(wake: () => void): void
  /** Adds checks to the common look of the upkeep. */
  checkDue(checks: DueChecks): void
}

/** Takes the data directory, opens the database and makes the stores. */
export async function openStorage(
  { config, nodeId, clock, databaseClock, log, metrics, closing, upkeep }: Core,
  { encryptionKey }: Pick<Secrets, 'encryptionKey'>,
): Promise<Storage> {
  const lock = await lockDirectory(config.dataDir).catch(inOneLine('DATA_DIR'))
  closing.add('lock', () => lock.release())
  const { databaseUrl, databaseReadUrl: readUrl } = config
  const database = await openDatabase({
    databaseUrl,
    readUrl,
    metrics,
    dataDir: config.dataDir,
    poolSize: config.databasePool,
    log,
    clock: databaseClock,
    patience: config.databasePatience,
  }).catch((error: unknown) => {
    throw databaseFault(databaseUrl, error) ?? error
  })
  closing.add('database', () => database.close())
  const cipher = await openCipher(database, encryptionKey).catch(inOneLine(null))
  const wakeUps: (() => void)[] = []
  let tellChanged: Parameters<Storage['onChanged']>[0] = () => {}
  let moved: MovesTold = { call: () => {}, number: () => {}, conversation: () => {} }
  let askForAds = (): void => {}
  const stores = openStores({
    database,
    cipher,
    clock,
    limits: config.defaultLimits,
    onEvents: () => {
      for (const wake of wakeUps) wake()
    },
    onChanged: (rows) => tellChanged(rows),
    onMoved: {
      call: (move) => moved.call(move),
      number: (numberId) => moved.number(numberId),
      conversation: (move) => moved.conversation(move),
    },
    onAds: () => askForAds(),
  })
  let checks = ROWS_DUE
  upkeep.looksBy(() => lookForDue(database, checks, clock.now()))
  upkeep.add({ name: 'purge-idempotency', ...PURGES, run: () => stores.idempotency.purge() })
  upkeep.add({ name: 'purge-flow-keys', ...PURGES, run: () => stores.flowKeys.purge() })
  upkeep.add({ name: 'purge-pairing-links', ...PURGES, run: () => stores.pairing.purge() })
  upkeep.add({ name: 'purge-embed-sessions', ...PURGES, run: () => stores.embedSessions.purge() })
  upkeep.add({ name: 'purge-web-sessions', ...PURGES, run: () => stores.webSessions.purge() })
  upkeep.add({ name: 'purge-invitations', ...PURGES, run: () => stores.users.purge() })
  upkeep.add({ name: 'purge-login-failures', ...PURGES, run: () => stores.loginFailures.purge() })
  upkeep.add({ name: 'purge-oauth', ...PURGES, run: () => stores.grants.purge() })
  upkeep.add({ name: 'purge-reach', ...PURGES, run: () => stores.reach.purge() })
  upkeep.add({ name: 'purge-changes', ...PURGES, run: () => stores.inbound.purge() })
  return {
    nodeId,
    database,
    cipher,
    stores,
    onEvents: (wake) => void wakeUps.push(wake),
    onChanged: (tell) => {
      tellChanged = tell
    },
    onMoved: (told) => {
      moved = told
    },
    checkDue: (more) => {
      checks = { ...checks, ...more }
    },
    onAds: (wake) => {
      askForAds = wake
    },
  }
}

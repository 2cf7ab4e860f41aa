import type { RequestLimits } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ChangedRows } from '../../ports/inbox-feed.ts'
import type { MovesTold } from '../../ports/tenant-feed.ts'
import type { Database } from './database.ts'

/** What every store is built on; each takes the parts that it uses. */
export interface Engine {
  readonly database: Database
  readonly cipher: Cipher
  readonly clock: Clock
  /** Limits of tenants without their own. */
  readonly limits: RequestLimits
  /** Called after each commit that stored events; must be quick. */
  readonly onEvents: () => void
  /** Called after each commit that moved a call, a number or a conversation and stored no event; must be quick. */
  readonly onMoved: MovesTold
  /** Called after each commit that made ads due; must be quick. */
  readonly onAds: () => void
  /** Called after each commit that changed messages or conversations in a way that no event tells of; must be quick. */
  readonly onChanged: (rows: ChangedRows) => void
}

import type { OfficialParts } from './http/official-parts.ts'
import { webhookUrlOf } from './http/routes/numbers/official.ts'
import type { NumberId } from './domain/ids.ts'
import { createOfficialUpkeep } from './official-upkeep.ts'
import type { RunningUpkeep } from './official-upkeep.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Metrics } from './ports/metrics.ts'
import type { ReadCallEvents, ReadMessageEvents } from './ports/official-platform.ts'
import type { ProviderDriver } from './ports/provider.ts'
import { readCallEvents } from './providers/official/inbound/call-events.ts'
import { readMessageEvents } from './providers/official/inbound/message-events.ts'
import { splitChanges } from './providers/official/inbound/changes.ts'
import { isSignedBy } from './providers/official/inbound/signature.ts'
import { createOfficial } from './providers/official/official.ts'
import type { Stores } from './storage/store-set.ts'

export interface OpenOfficialOptions {
  /** With the version segment (contract 1, OFFICIAL_API_URL). */
  readonly apiUrl: string
  readonly stores: Pick<Stores, 'numbers' | 'official' | 'inbound'>
  /** Public base of REST, where upstream delivers. */
  readonly baseUrl: string
  /** Starts a number; called only after something happened on it. */
  readonly receive: (numberId: NumberId) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export interface OpenOfficial {
  /** For the registry. */
  readonly driver: ProviderDriver
  /** For the directory. */
  readonly readCallEvents: ReadCallEvents
  readonly readMessageEvents: ReadMessageEvents
  /** For the REST layer. */
  readonly parts: OfficialParts
  /** Begins the upkeep; once requests can be answered, because upstream verifies callbacks. */
  start(): void
  /** Idempotent. */
  close(): Promise<void>
}

/** Joins what OFFICIAL numbers are made of: client and driver, stores, upkeep. */
export function openOfficial({ apiUrl, stores, baseUrl, receive, clock, log, metrics }: OpenOfficialOptions): OpenOfficial {
  const marks: { to: RunningUpkeep | null } = { to: null }
  const official = createOfficial({ apiUrl, clock, log, metrics, onMark: (phoneId, mark) => marks.to?.mark(phoneId, mark) })
  const upkeep = createOfficialUpkeep({
    platform: official.platform, store: stores.official, numbers: stores.numbers, inbound: stores.inbound,
    webhookUrlOf: (numberId) => webhookUrlOf(baseUrl, numberId), receive, clock, log,
  })
  marks.to = upkeep
  return {
    driver: official.driver,
    readCallEvents,
    readMessageEvents,
    parts: { platform: official.platform, store: stores.official, inbound: stores.inbound, isSigned: isSignedBy, split: splitChanges, upkeep },
    start: () => upkeep.start(),
    async close() {
      await upkeep.stop()
      await official.close()
    },
  }
}

import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { AdsOf } from '../../ports/official/pages.ts'
import type { AdStore } from '../../ports/stores/ad-store.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

/** The ports of ads and their names; each command takes all of them. */
export interface AdPorts {
  readonly ads: AdStore
  /** Read for the tokens that names are looked up with. */
  readonly official: OfficialStore
  readonly leadPages: LeadPageStore
  readonly adsOf: AdsOf
  /** Waits after each try that failed, in ms. After the last of them the next click starts anew. */
  readonly retryMs: readonly number[]
  /** Says that names are due, so that the seeker gets a turn soon. */
  readonly adsDue: () => void
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { AdsOf } from '../../ports/official/pages.ts'
import type { AdStore } from '../../ports/stores/ad-store.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

/** All that ads and their names stand on: each verb takes it whole. */
export interface AdPorts {
  readonly ads: AdStore
  /** For the tokens that names are asked for with. */
  readonly official: OfficialStore
  readonly leadPages: LeadPageStore
  readonly adsOf: AdsOf
  /** Waits after a try that came to nothing, ms; after the last the next click asks again. */
  readonly retryMs: readonly number[]
  /** Names are due: whoever finds them out is given a turn, soon. */
  readonly adsDue: () => void
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

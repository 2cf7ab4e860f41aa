import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { PageOf } from '../../ports/official/pages.ts'
import type { IdempotencyStore } from '../../ports/stores/idempotency-store.ts'
import type { LeadBackfillStore } from '../../ports/stores/lead-backfill-store.ts'
import type { LeadNoticeStore } from '../../ports/stores/lead-notice-store.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { LeadStore, PrivacyStore } from '../../ports/stores/lead-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { SetAsideStore } from '../../ports/stores/set-aside-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import type { MessageCommands } from '../messages/messages.ts'

/** All that leads and their Pages stand on. */
export interface LeadPorts {
  readonly leads: LeadStore
  readonly leadPages: LeadPageStore
  readonly leadNotices: LeadNoticeStore
  readonly leadBackfills: LeadBackfillStore
  readonly privacy: PrivacyStore
  readonly setAside: SetAsideStore
  /** For the number of a Page: its app, and the templates that answer its leads. */
  readonly numbers: NumberStore
  readonly official: OfficialStore
  readonly templates: TemplateStore
  readonly pageOf: PageOf
  /** Answers are messages as any other; whether one was accepted before is asked of the keys. */
  readonly messageCommands: Pick<MessageCommands, 'send'>
  readonly idempotency: IdempotencyStore
  readonly broadcast: Broadcast
  /** Names this process among the nodes. */
  readonly processId: string
  /** Waits before upstream is asked again, ms; the last repeats. */
  readonly retryMs: readonly number[]
  /** Public base of REST, without a trailing slash: where upstream delivers. */
  readonly baseUrl: string
  /**
   * What upstream shows when it verifies the webhook of an app: derived, the same for as long as the installation has
   * its key.
   */
  readonly pageVerifyToken: (appId: string) => string
  /** Notices, imports, or answers are due: whoever works on them is woken. */
  readonly leadsDue: () => void
  readonly backfillsDue: () => void
  readonly autoSendsDue: () => void
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

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

/** The ports of leads and their Pages. */
export interface LeadPorts {
  readonly leads: LeadStore
  readonly leadPages: LeadPageStore
  readonly leadNotices: LeadNoticeStore
  readonly leadBackfills: LeadBackfillStore
  readonly privacy: PrivacyStore
  readonly setAside: SetAsideStore
  /** Read for the number of a Page: its app, and the templates that answer its leads. */
  readonly numbers: NumberStore
  readonly official: OfficialStore
  readonly templates: TemplateStore
  readonly pageOf: PageOf
  /** Answers to leads are ordinary messages; the idempotency keys tell whether one was accepted before. */
  readonly messageCommands: Pick<MessageCommands, 'send'>
  readonly idempotency: IdempotencyStore
  readonly broadcast: Broadcast
  /** The name of this process among the nodes. */
  readonly processId: string
  /** Waits before upstream is asked again, in ms; the last one repeats. */
  readonly retryMs: readonly number[]
  /** Public base address of the REST API, which upstream delivers to, without a trailing slash. */
  readonly baseUrl: string
  /**
   * The token that upstream shows when it verifies the webhook of an app. It is derived, so it stays the same for as
   * long as the installation keeps its key.
   */
  readonly pageVerifyToken: (appId: string) => string
  /** Each says that work is due (notices, imports, answers) and wakes whoever does it. */
  readonly leadsDue: () => void
  readonly backfillsDue: () => void
  readonly autoSendsDue: () => void
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

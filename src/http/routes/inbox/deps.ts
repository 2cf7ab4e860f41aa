import type { InboxFeed } from '../../../ports/inbox-feed.ts'
import type { TellMediaKnown } from '../../../ports/known-media.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { InboxStore } from '../../../ports/stores/inbox-store.ts'
import type { OfficialOf } from '../../../ports/official/number.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'
import type { EmbedEndings } from '../../request/embed-endings.ts'
import type { MessageDeps } from '../messages/deps.ts'
import type { TemplateStore } from '../../../ports/stores/template-store.ts'

/** What the routes of the inbox use. */
export interface InboxDeps extends Omit<MessageDeps, 'templates'> {
  readonly inboxReads: InboxStore
  readonly inboxFeed: InboxFeed
  readonly metrics: Metrics
  readonly embedEndings: EmbedEndings
  readonly templates: TemplateStore
  readonly mediaKnown: TellMediaKnown
  readonly official: OfficialStore
  readonly officialOf: OfficialOf
  /** Resolves once all that upstream's answers said of OFFICIAL numbers so far is stored. */
  readonly marksStored: () => Promise<void>
}

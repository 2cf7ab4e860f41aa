import type { MessageCommands } from '../../../commands/messages/messages.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { InboxFeed } from '../../../ports/inbox-feed.ts'
import type { TellMediaKnown } from '../../../ports/known-media.ts'
import type { MessageFiles } from '../../../ports/message-media.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { OfficialOf } from '../../../ports/official/number.ts'
import type { InboxStore } from '../../../ports/stores/inbox-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'
import type { TemplateStore } from '../../../ports/stores/template-store.ts'
import type { EmbedEndings } from '../../request/embed-endings.ts'

/** What the routes of the inbox use. */
export interface InboxDeps {
  readonly messageCommands: MessageCommands
  readonly inboxReads: InboxStore
  readonly inboxFeed: InboxFeed
  readonly embedEndings: EmbedEndings
  readonly templates: TemplateStore
  readonly numbers: NumberStore
  readonly files: MessageFiles
  readonly mediaKnown: TellMediaKnown
  readonly official: OfficialStore
  readonly officialOf: OfficialOf
  /** Resolves once all that upstream's answers said of OFFICIAL numbers so far is stored. */
  readonly marksStored: () => Promise<void>
  readonly clock: Clock
  readonly metrics: Metrics
}

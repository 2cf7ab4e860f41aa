import type { InboxCommands } from '../../../commands/inbox/inbox.ts'
import type { CannedReplyStore } from '../../../ports/stores/canned-reply-store.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { StreamDeps } from './stream.ts'

/** What the routes of the inbox use. */
export interface InboxDeps extends StreamDeps {
  readonly inboxCommands: InboxCommands
  readonly cannedReplies: CannedReplyStore
  readonly clock: Clock
}

import type { Clock } from '../../ports/clock.ts'
import type { InboxFeed } from '../../ports/inbox-feed.ts'
import type { TellMediaKnown } from '../../ports/known-media.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { ConversationMarkStore } from '../../ports/stores/conversation-mark-store.ts'
import type { InboxStore } from '../../ports/stores/inbox-store.ts'
import type { MediaFactStore } from '../../ports/stores/media-fact-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import type { MessageCommands } from '../messages/messages.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** The ports of inboxes; each command takes all of them. */
export interface InboxPorts extends Pick<OfficialPorts, 'official' | 'officialOf' | 'marksStored'> {
  readonly inboxReads: InboxStore
  readonly conversationMarks: ConversationMarkStore
  /** Tells listeners of a message at once. */
  readonly inboxFeed: Pick<InboxFeed, 'wake'>
  readonly messageCommands: Pick<MessageCommands, 'send' | 'markRead' | 'change' | 'showTyping'>
  readonly numbers: NumberStore
  readonly templates: TemplateStore
  readonly files: MessageFiles
  /** Stores what files of messages are, once they were read. */
  readonly mediaFacts: MediaFactStore
  readonly mediaKnown: TellMediaKnown
  readonly clock: Clock
}

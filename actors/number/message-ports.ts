import type { ConversationId, NumberId } from '../../src/domain/ids.ts'
import type { MessageFiles } from '../../src/ports/message-media.ts'
import type { MessageInbox } from '../../src/ports/stores/message-inbox.ts'
import type { SendQueue } from '../../src/ports/stores/send-queue.ts'
import type { SendingOptions } from '../sending/rules.ts'

/** The rows of messages, as their owner writes them. */
export interface MessageStores {
  readonly sendQueue: SendQueue
  readonly messageInbox: MessageInbox
}

/** What messages need beside their rows. */
export interface MessagePorts {
  /** Files of messages, both ways. */
  readonly files: Pick<MessageFiles, 'prepare' | 'rehost' | 'release'>
  /** The id of the conversation with a peer: the same for its messages and its calls. */
  conversationOf(numberId: NumberId, peer: string): ConversationId
  /** Some webhook of the number wants message.stories: read when its session opens and with ApplySettings. */
  wantsStories(numberId: NumberId): Promise<boolean>
  /** Pace and limits of sending; defaults in sending/rules.ts. */
  readonly sending?: Partial<SendingOptions>
}

import type { MediaFactStore } from '../../ports/stores/media-fact-store.ts'
import type { MessageBatches } from '../../ports/stores/message-batches.ts'
import type { MessageInbox } from '../../ports/stores/message-inbox.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { SendQueue } from '../../ports/stores/send-queue.ts'
import type { Engine } from '../engine/engine.ts'
import type { Purged } from '../engine/purge.ts'
import { SqlMessageBatches } from './batches.ts'
import { SqlMediaFacts } from './changes.ts'
import { SqlMessageInbox } from './inbox.ts'
import { KeyFill } from '../message-keys/fill.ts'
import { LongConversations } from './long-conversations.ts'
import { SqlSendQueue } from './queue.ts'
import { SqlMessageStore } from './store.ts'

export interface MessageStores {
  readonly messages: MessageStore & Purged
  readonly messageBatches: MessageBatches
  readonly queue: SendQueue
  readonly inbox: MessageInbox
  readonly mediaFacts: MediaFactStore
  readonly longConversations: LongConversations
  readonly keyFill: KeyFill
}

/**
 * Messages over an open database: what clients see, the queue of sends, inbound messages, and conversations that are
 * counted.
 */
export function openMessages(engine: Engine): MessageStores {
  return {
    messages: new SqlMessageStore(engine),
    messageBatches: new SqlMessageBatches(engine),
    queue: new SqlSendQueue(engine),
    inbox: new SqlMessageInbox(engine),
    mediaFacts: new SqlMediaFacts(engine),
    longConversations: new LongConversations(engine),
    keyFill: new KeyFill(engine),
  }
}

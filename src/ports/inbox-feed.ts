import type { TypingState } from '../domain/device-ops.ts'
import type { ConversationId, NumberId } from '../domain/ids.ts'
import type { NumberState } from '../domain/number.ts'
import type { InboxConversation, InboxMessage } from './stores/inbox-store.ts'

/** What an inbox is told of ([embeds.stream.1]). Rows were read after their changes were committed. */
export type InboxChange =
  /** The message is new, or has another content now. */
  | { readonly type: 'message'; readonly message: InboxMessage }
  /** The message has another status now. */
  | { readonly type: 'status'; readonly message: InboxMessage }
  | { readonly type: 'conversation'; readonly conversation: InboxConversation }
  | { readonly type: 'number'; readonly state: NumberState }
  /** The number of unread messages of the channel number. */
  | { readonly type: 'unread'; readonly count: number }
  /** Somebody writes in the conversation. It is told to those who listen, and kept for nobody. */
  | { readonly type: 'typing'; readonly conversationId: ConversationId; readonly state: TypingState }
  /** Some changes were left out, so the inbox reads everything anew ([embeds.stream.2]). */
  | { readonly type: 'resync' }

export interface FedChange {
  /** Rises with every change of this node that is kept; of one that is not, the last that was given. */
  readonly order: number
  readonly atMs: number
  readonly numberId: NumberId
  readonly change: InboxChange
}

/** A reader of changes. */
export interface FeedListener {
  changed(change: FedChange): void
  /** This node stops telling; no change follows. */
  ended(): void
}

export interface Joined {
  /**
   * The reader's position: all that was committed before it joined can be read, all that is committed later will be
   * told.
   */
  readonly order: number
  /**
   * The changes since the reader's last position, oldest first; null when they are no longer known, or the reader comes
   * for the first time.
   */
  readonly missed: readonly FedChange[] | null
  readonly unread: ReadonlyMap<NumberId, number>
  leave(): void
}

/** Tells changes of numbers, for as long as somebody listens. */
export interface InboxFeed {
  /** Names this run of the node, in six digits: the changes of another run do not continue those of this one. */
  readonly run: string
  /** `after` is the order of the last change that the reader took. Rejects while the database is away. */
  join(numberIds: readonly NumberId[], listener: FeedListener, after: number | null): Promise<Joined>
  /** Tells that something was committed. Returns at once. */
  wake(): void
}

/** Rows whose change no stored order tells of: the code that commits it tells all nodes. */
export interface ChangedRows {
  readonly numberId: NumberId
  readonly messageIds: readonly string[]
  readonly conversationIds: readonly string[]
  /** True when messages moved from one conversation to another: too many rows to be named. */
  readonly isWhole: boolean
}

/** Somebody writes to a number: the node that heard of it tells all nodes. It names no person. */
export interface TypedIn {
  readonly numberId: NumberId
  /** The ids that the conversation may have, the likeliest first. */
  readonly conversationIds: readonly ConversationId[]
  readonly state: TypingState
}

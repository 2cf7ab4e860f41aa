import type { ConversationId, MessageId, NumberId } from '../../domain/ids.ts'
import type { Conversation, MessageDirection, MessageStatus, MessageType } from '../../domain/message.ts'
import type { NumberState, ProviderKind } from '../../domain/number.ts'
import type { ListedMessage } from './message-store.ts'

/** A conversation as an inbox lists it. */
export interface InboxConversation extends Conversation {
  readonly numberId: NumberId
  readonly provider: ProviderKind
  /** Of the last message; null once that is gone. */
  readonly lastMessageDirection: MessageDirection | null
  readonly lastMessageStatus: MessageStatus | null
  readonly lastMessageType: MessageType | null
}

/** The message that another one quotes, as far as the number has it. */
export interface QuotedMessage {
  readonly id: MessageId
  readonly direction: MessageDirection
  readonly type: MessageType
  /** Null when it has no text, or privacy withholds it. */
  readonly text: string | null
}

export interface InboxMessage extends ListedMessage {
  readonly quoted: QuotedMessage | null
}

/** A place in a list of conversations: behind the conversation whose last message this was. */
export interface ConversationPlace {
  readonly lastMessageAt: Date
  readonly lastMessageId: MessageId
}

export interface ConversationQuery {
  readonly isUnreadOnly: boolean
  /** Part of a name or a number, literally, whatever its case; looked for in the newest SEARCHED conversations. */
  readonly search: string | null
  readonly limit: number
  readonly before: ConversationPlace | null
}

/**
 * Which messages of a conversation: the newest, or those on one or both sides of one of them, which is among them with
 * `around` alone.
 */
export type MessageQuery = { readonly limit: number } & (
  | { readonly side: 'newest' }
  | { readonly side: 'before' | 'after' | 'around'; readonly of: string }
)

export interface MessageSpan {
  /** Newest first. */
  readonly messages: readonly InboxMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface FoundMessage {
  readonly message: InboxMessage
  readonly conversation: InboxConversation
}

/**
 * contract 17: texts are searched in the newest so many messages; our choice: names and numbers in as many
 * conversations.
 */
export const SEARCHED = 20_000

/**
 * What the inbox of some numbers reads. Every query is of the numbers it is given, and of nothing else. Privacy is
 * obeyed as by MessageStore. Conversations that became part of another are found by their old id.
 */
export interface InboxStore {
  /** By last activity, newest first; `next` null: there are no more. */
  conversations(
    numberIds: readonly NumberId[],
    query: ConversationQuery,
  ): Promise<{ readonly items: readonly InboxConversation[]; readonly next: ConversationPlace | null }>
  /** Those of the ids that are there, in no order. */
  conversationsOf(
    numberIds: readonly NumberId[],
    ids: readonly (ConversationId | string)[],
  ): Promise<readonly InboxConversation[]>
  /** Both directions. Null: no such conversation, or no such message in it. */
  messages(
    numberIds: readonly NumberId[],
    conversationId: ConversationId | string,
    query: MessageQuery,
  ): Promise<MessageSpan | null>
  /** Those of the ids that are there, newest first. */
  messagesOf(numberIds: readonly NumberId[], ids: readonly (MessageId | string)[]): Promise<readonly InboxMessage[]>
  /** Messages whose text has this part, literally, whatever its case, newest first: among the newest SEARCHED. */
  search(numberIds: readonly NumberId[], text: string, limit: number): Promise<readonly FoundMessage[]>
  /** Unread messages of each number. */
  unread(numberIds: readonly NumberId[]): Promise<ReadonlyMap<NumberId, number>>
}

/**
 * Up to where changes were read. Rows are numbered as they are written and may be committed in another order, so a
 * reader goes back to what was certain, and passes over what it was given already.
 */
export interface ChangeCursor {
  /** Of messages: whatever is at this position or before it was there to be read. */
  readonly position: string
  /** Of events: whatever transactions before this one stored was there to be read. */
  readonly transaction: string
}

/** What one look found. */
export interface LookedAt {
  /** Where the reader would be who missed nothing until then. */
  readonly snapshot: {
    /** Of the last message there was to be read. */
    readonly position: string
    /** No transaction before this one is under way. */
    readonly oldest: string
    /** Every transaction from this one on begins later. */
    readonly next: string
  }
  /** Messages behind the cursor. */
  readonly messages: readonly { readonly id: MessageId; readonly numberId: NumberId; readonly position: string }[]
  /** Moves of messages that were sent, behind the cursor. */
  readonly moves: readonly {
    readonly eventId: string
    readonly transaction: string
    readonly numberId: NumberId
    readonly messageId: MessageId
  }[]
  readonly states: ReadonlyMap<NumberId, NumberState>
  /** There was more than a look takes: some of it was left out. */
  readonly isCut: boolean
}

/**
 * Our choice: positions before the last one that a first look goes back: more than all nodes have under way at a time.
 */
export const UNDER_WAY = 5_000

/** What changed of some numbers, in one statement a look. */
export interface InboxChanges {
  /**
   * Null: a first look, which finds what may have been stored beside rows that are still under way: the last UNDER_WAY
   * positions.
   */
  look(numberIds: readonly NumberId[], since: ChangeCursor | null): Promise<LookedAt>
}

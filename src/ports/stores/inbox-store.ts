import type { ConversationId, MessageId, NumberId } from '../../domain/ids.ts'
import type { Conversation, MessageDirection, MessageStatus, MessageType } from '../../domain/message.ts'
import type { NumberState, ProviderKind } from '../../domain/number.ts'
import type { ListedMessage } from './message-store.ts'

/** A conversation as an inbox lists it. */
export interface InboxConversation extends Conversation {
  readonly numberId: NumberId
  readonly provider: ProviderKind
  /** The direction of the last message; null once that is gone. */
  readonly lastMessageDirection: MessageDirection | null
  readonly lastMessageStatus: MessageStatus | null
  readonly lastMessageType: MessageType | null
  /** Somebody marked it as unread, and it was not read since. */
  readonly isMarkedUnread: boolean
  /** Null while it is not archived. An inbound message ends the archiving. */
  readonly archivedAt: Date | null
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

export interface ConversationWith {
  readonly id: ConversationId
  readonly conversation: InboxConversation | null
}

/** A place in a list of conversations: behind the conversation whose last message this was. */
export interface ConversationPlace {
  readonly lastMessageAt: Date
  readonly lastMessageId: MessageId
}

/**
 * Conversations of a list: those that are not archived, those of them that are unread, those that are archived, or
 * every one.
 */
export type ConversationFilter = 'all' | 'unread' | 'archived' | 'every'

export interface ConversationQuery {
  readonly filter: ConversationFilter
  /** A part of a name or a number, literally, in any case; it is searched in the newest SEARCHED conversations. */
  readonly search: string | null
  readonly limit: number
  readonly before: ConversationPlace | null
}

/**
 * Chooses messages of a conversation: the newest, those on one or both sides of a message, or those on both sides of a
 * time. Only `around` includes that message itself.
 */
export type MessageQuery = { readonly limit: number } & (
  | { readonly side: 'newest' }
  | { readonly side: 'before' | 'after' | 'around'; readonly of: string }
  | { readonly side: 'at'; readonly time: Date }
)

export interface MessageSpan {
  /** Newest first. */
  readonly messages: readonly InboxMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface TextQuery {
  readonly text: string
  readonly limit: number
  /** Null when all conversations are searched. */
  readonly conversationId: ConversationId | string | null
}

export interface FoundMessage {
  readonly message: InboxMessage
  readonly conversation: InboxConversation
}

/**
 * Texts are searched in this many newest messages ([embeds.inbox-routes.10]); our choice: names and numbers in as many
 * conversations.
 */
export const SEARCHED = 20_000

/**
 * What the inbox of some numbers reads. Every query is of the numbers that it names, and of no others. Privacy applies
 * as in MessageStore. A conversation that became part of another is found by its old id.
 */
export interface InboxStore {
  /** Lists conversations by last activity, newest first; `next` is null when there are no more. */
  conversations(
    numberIds: readonly NumberId[],
    query: ConversationQuery,
  ): Promise<{ readonly items: readonly InboxConversation[]; readonly next: ConversationPlace | null }>
  /** Reads the conversations of these ids that exist, in no order. */
  conversationsOf(
    numberIds: readonly NumberId[],
    ids: readonly (ConversationId | string)[],
  ): Promise<readonly InboxConversation[]>
  /**
   * Finds the conversation of a number with a direct address, digits or a user's id: the id that it has, or will have
   * once somebody writes, and the conversation, null while there is none.
   */
  conversationWith(numberId: NumberId, address: string): Promise<ConversationWith>
  /** Reads messages of both directions. Null when the conversation, or the named message in it, does not exist. */
  messages(
    numberIds: readonly NumberId[],
    conversationId: ConversationId | string,
    query: MessageQuery,
  ): Promise<MessageSpan | null>
  /** Reads the messages of these ids that exist, newest first. */
  messagesOf(numberIds: readonly NumberId[], ids: readonly (MessageId | string)[]): Promise<readonly InboxMessage[]>
  /**
   * Finds messages whose text has this part, literally, in any case, newest first, among the newest SEARCHED: of the
   * numbers, or of one of their conversations.
   */
  search(numberIds: readonly NumberId[], query: TextQuery): Promise<readonly FoundMessage[]>
  /**
   * Counts the unread messages of each number, without those of archived conversations. A conversation without unread
   * messages that is marked as unread counts as one.
   */
  unread(numberIds: readonly NumberId[]): Promise<ReadonlyMap<NumberId, number>>
}

/**
 * The point up to which changes were read. Rows are numbered as they are written and may be committed in another order,
 * so a reader goes back to the last certain point, and skips what it was given already.
 */
export interface ChangeCursor {
  /** For messages: every message up to this position could be read. */
  readonly position: string
  /** For events: everything stored by transactions before this one could be read. */
  readonly transaction: string
}

/** The result of one look. */
export interface LookedAt {
  /** The point of a reader that has missed nothing so far. */
  readonly snapshot: {
    /** The position of the last message that could be read. */
    readonly position: string
    /** No transaction before this one is still running. */
    readonly oldest: string
    /** Every transaction from this one on begins later. */
    readonly next: string
  }
  /** Messages behind the cursor. */
  readonly messages: readonly { readonly id: MessageId; readonly numberId: NumberId; readonly position: string }[]
  /** Changes of status of sent messages, behind the cursor. */
  readonly moves: readonly {
    readonly eventId: string
    readonly transaction: string
    readonly numberId: NumberId
    readonly messageId: MessageId
  }[]
  readonly states: ReadonlyMap<NumberId, NumberState>
  /** There was more than a look takes: a part was left out. */
  readonly isCut: boolean
}

/** Our choice: how many positions before the last a first look goes back, more than all nodes write at a time. */
export const UNDER_WAY = 5_000

/** What changed of some numbers, in one statement a look. */
export interface InboxChanges {
  /**
   * Looks for changes. `since` is null for a first look, which finds what was perhaps stored beside rows that are not
   * committed yet: the last UNDER_WAY positions.
   */
  look(numberIds: readonly NumberId[], since: ChangeCursor | null): Promise<LookedAt>
}

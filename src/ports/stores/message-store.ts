import type { FlowStatus } from '../../domain/flow.ts'
import type { ConversationId, FlowId, MessageId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type {
  Conversation,
  Destination,
  Message,
  MessageContent,
  MessageDirection,
  MessageType,
} from '../../domain/message.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { OutgoingContent } from '../../domain/outgoing.ts'
import type { Referral } from '../../domain/referral.ts'
import type { Traced } from '../../domain/trace.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from './idempotency-store.ts'

/** A template as it was when the message was made of it; once it has changed, the message is not accepted. */
export interface SeenTemplate {
  /** The `version` of its FoundTemplate. */
  readonly version: string
  /** How many languages the name had; null when they do not matter, since the send named the language, or the id. */
  readonly languages: number | null
}

/** The Flow that a message opens. Its answers are found by the message, or by the token. */
export interface SentFlow {
  readonly id: FlowId
  readonly token: string
  /**
   * The message is accepted only while the number's account has the Flow in one of these states, and upstream has it.
   */
  readonly statuses: readonly FlowStatus[]
}

/** Said of a list that goes out in words, for a network that shows no lists. */
export const LIST_SENT_AS_TEXT = 'LIST_SENT_AS_TEXT'
export type SendNotice = typeof LIST_SENT_AS_TEXT

/** A message about to be accepted. */
export interface NewMessage extends Traced {
  readonly id: MessageId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly to: Destination
  readonly type: MessageType
  /** The content as reads show it. */
  readonly content: MessageContent
  /** The content as the owner of the number sends it. */
  readonly outgoing: OutgoingContent
  /** Upstream id of the message quoted. */
  readonly quotedMessageId: string | null
  readonly correlationId: string
  /** Name and id of the template that the message was made of. */
  readonly template: string | null
  readonly templateId: TemplateId | null
  /** Null when no template is to be compared. */
  readonly seenTemplate: SeenTemplate | null
  /** Null when the message opens no Flow. */
  readonly flow: SentFlow | null
  /** The earliest time of the send; null for now. */
  readonly deliverAt: Date | null
  /** The latest time of the send; null when there is none. */
  readonly deliverUntil: Date | null
  readonly createdAt: Date
  /** What the answer says of how it goes out; it is not stored. */
  readonly notice?: SendNotice
}

/** A send that carries an Idempotency-Key: the claim and its answer are stored with the message. */
export interface ClaimedAnswer {
  readonly request: IdempotentRequest
  readonly answer: IdempotentAnswer
}

export type AcceptOutcome =
  | { readonly kind: 'accepted' }
  /** The key was used before: nothing was stored. */
  | Exclude<IdempotencyStart, { kind: 'started' }>
  /** The number was removed meanwhile. */
  | { readonly kind: 'gone' }
  /** `seenTemplate` or `flow` no longer holds: nothing was stored. */
  | { readonly kind: 'stale' }

export interface Page {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export interface Paged<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** The chat that a message stands in. */
export interface ChatOfMessage {
  /** Null when privacy withholds its address. */
  readonly to: Destination | null
  /** Whether the address that was asked about leads there. */
  readonly isThere: boolean
}

/** A conversation, as somebody types into it. */
export interface Talk {
  /** Whom it is with, by the best name; null when privacy withholds it. */
  readonly address: string | null
  /** Upstream id of the last message that came in; null when none did. */
  readonly lastInboundId: string | null
}

/** A message with what its conversation adds. */
export interface ListedMessage extends Message {
  /**
   * The referral recorded for the message, with the names of its ad as they are known now, and without the id of the
   * click when privacy withholds it.
   */
  readonly referral: Referral | null
  readonly groupId: string | null
  readonly groupName: string | null
  readonly conversationUnreadCount: number
}

export interface HistoryQuery extends Page {
  /** Both inclusive, compared with `createdAt`. */
  readonly startDate: Date | null
  readonly endDate: Date | null
  readonly direction: MessageDirection
  /** The address of a conversation; null for all. */
  readonly peer: string | null
}

export interface GroupQuery extends Page {
  readonly startDate: Date | null
  readonly endDate: Date | null
  readonly direction: MessageDirection
  readonly groupId: string | null
}

/** What was marked read, to be told upstream. */
export interface ReadMark {
  /** Messages that were unread. */
  readonly count: number
  /** Upstream ids, newest last. */
  readonly externalMessageIds: readonly string[]
}

/**
 * Messages as clients see them. Every query is of one number. The number's present privacy applies: past the window of
 * STORE_X_DAYS, and always under RELAY_ONLY, items come with content, addresses and names null and `isRedacted` true.
 */
export interface MessageStore {
  /** Stores message, conversation and claim in one statement; durable once it resolves. */
  accept(message: NewMessage, claim: ClaimedAnswer | null): Promise<AcceptOutcome>
  /**
   * Finds a message by service id, correlation id (the newest one of several) or upstream id, in this order
   * ([messages.routes.1]).
   */
  find(numberId: NumberId, anyId: string): Promise<Message | null>
  /**
   * Finds the chat of a message, by service id, and whether `address` leads there; null when there is no such message.
   */
  chatOf(numberId: NumberId, messageId: MessageId, address: string): Promise<ChatOfMessage | null>
  /** Finds a conversation by its id, or by a name of its peer; null when the number has no such conversation. */
  talkOf(
    numberId: NumberId,
    by: { readonly conversationId: string } | { readonly address: string },
  ): Promise<Talk | null>
  /**
   * Finds the template that a message was made of, by service id or upstream id of the message; null when it was made
   * of none, or there is no such message.
   */
  templateOf(numberId: NumberId, anyId: string): Promise<TemplateId | null>
  /**
   * True when messages of a template of the tenant's account wait to be sent now; those put off to later do not count.
   */
  isQueued(tenantId: TenantId, accountId: string, templateId: TemplateId): Promise<boolean>
  /**
   * Cancels messages that still wait for their `deliverAt` and were never tried ([messages.routes.2]). Unknown ids are
   * reported as those that cannot be canceled.
   */
  cancel(
    numberId: NumberId,
    ids: readonly string[],
  ): Promise<{
    readonly cancelled: readonly MessageId[]
    readonly failed: readonly { readonly id: string; readonly reason: string }[]
  }>
  /** Lists direct and group messages, newest first by `createdAt`. */
  history(numberId: NumberId, query: HistoryQuery): Promise<Paged<ListedMessage>>
  /**
   * Lists unread inbound messages of conversations with an unread count, newest first; `total` is the sum of the
   * counts.
   */
  unread(numberId: NumberId, page: Page): Promise<Paged<ListedMessage>>
  /** Lists messages of groups, newest first. */
  ofGroups(numberId: NumberId, query: GroupQuery): Promise<Paged<ListedMessage>>
  /** Lists conversations by last activity, newest first. */
  conversations(numberId: NumberId, page: Page): Promise<Paged<Conversation>>
  /** Marks a conversation read; null when the number has no such conversation. */
  markConversationRead(numberId: NumberId, conversationId: ConversationId | string): Promise<ReadMark | null>
  /** Marks messages read, by service ids or upstream ids; unknown ones are skipped. */
  markRead(numberId: NumberId, messageIds: readonly string[]): Promise<ReadMark>
}

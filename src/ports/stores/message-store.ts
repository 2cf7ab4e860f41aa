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
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from './idempotency-store.ts'

/** A template as it was when the message was made of it; the message is not accepted once it is not so any more. */
export interface SeenTemplate {
  /** FoundTemplate.version */
  readonly version: string
  /** How many languages the name had; null where they do not matter: the send named the language, or the id. */
  readonly languages: number | null
}

/** The Flow that a message opens. Its answers are known by the message, or by the token. */
export interface SentFlow {
  readonly id: FlowId
  readonly token: string
  /**
   * The message is accepted only while the number's account has the Flow in one of these states, and upstream has it.
   */
  readonly statuses: readonly FlowStatus[]
}

/** A message about to be accepted. */
export interface NewMessage {
  readonly id: MessageId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly to: Destination
  readonly type: MessageType
  /** As reads show it. */
  readonly content: MessageContent
  /** What the owner of the number sends. */
  readonly outgoing: OutgoingContent
  /** Upstream id of the message quoted. */
  readonly quotedMessageId: string | null
  readonly correlationId: string
  /** Name of the template it was made of, and its id. */
  readonly template: string | null
  readonly templateId: TemplateId | null
  /** Null: not to be compared. */
  readonly seenTemplate: SeenTemplate | null
  /** Null: it opens none. */
  readonly flow: SentFlow | null
  /** Not before. */
  readonly deliverAt: Date | null
  /** Not after. */
  readonly deliverUntil: Date | null
  readonly createdAt: Date
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
  /** `seenTemplate` or `flow` is not so any more: nothing was stored. */
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

/** A message with what its conversation adds. */
export interface ListedMessage extends Message {
  /**
   * Recorded of the message, with the names of its ad as they are known now; without the id of the click where privacy
   * withholds it.
   */
  readonly referral: Referral | null
  readonly groupId: string | null
  readonly groupName: string | null
  readonly conversationUnreadCount: number
}

export interface HistoryQuery extends Page {
  /** Both inclusive, on `createdAt`. */
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

/** What was marked read, for upstream to be told. */
export interface ReadMark {
  /** Messages that were unread. */
  readonly count: number
  /** Upstream ids, newest last. */
  readonly externalMessageIds: readonly string[]
}

/**
 * Messages as clients see them. Every query is of one number. Reads obey the number's privacy as it is now: past the
 * window of STORE_X_DAYS, and always under RELAY_ONLY, items come with content, addresses and names null and
 * `isRedacted` true.
 */
export interface MessageStore {
  /** Stores message, conversation and claim in one statement; durable once it resolves. */
  accept(message: NewMessage, claim: ClaimedAnswer | null): Promise<AcceptOutcome>
  /** By service id, correlation id (the newest one of several) or upstream id, in this order. */
  find(numberId: NumberId, anyId: string): Promise<Message | null>
  /**
   * The template that a message was made of, by service id or upstream id of the message; null: of none, or no such
   * message.
   */
  templateOf(numberId: NumberId, anyId: string): Promise<TemplateId | null>
  /**
   * Whether messages of a template of the tenant's account wait to be sent now; those put off to later do not count.
   */
  isQueued(tenantId: TenantId, accountId: string, templateId: TemplateId): Promise<boolean>
  /**
   * Only what still waits for its `deliverAt` and was never tried. Unknown ids are reported like those that cannot be
   * canceled.
   */
  cancel(
    numberId: NumberId,
    ids: readonly string[],
  ): Promise<{
    readonly cancelled: readonly MessageId[]
    readonly failed: readonly { readonly id: string; readonly reason: string }[]
  }>
  /** Newest first by `createdAt`. Direct and group. */
  history(numberId: NumberId, query: HistoryQuery): Promise<Paged<ListedMessage>>
  /** Unread inbound messages of conversations with an unread count, newest first; `total` is the sum of the counts. */
  unread(numberId: NumberId, page: Page): Promise<Paged<ListedMessage>>
  /** Messages of groups, newest first. */
  ofGroups(numberId: NumberId, query: GroupQuery): Promise<Paged<ListedMessage>>
  /** By last activity, newest first. */
  conversations(numberId: NumberId, page: Page): Promise<Paged<Conversation>>
  /** Null: no such conversation of this number. */
  markConversationRead(numberId: NumberId, conversationId: ConversationId | string): Promise<ReadMark | null>
  /** Service ids or upstream ids; unknown ones are passed over. */
  markRead(numberId: NumberId, messageIds: readonly string[]): Promise<ReadMark>
}

import type { ConversationId, MessageId, NumberId } from '../../domain/ids.ts'
import type { Destination, MessageFailure } from '../../domain/message.ts'
import type { OutgoingContent } from '../../domain/outgoing.ts'
import type { Fence } from '../leases.ts'

/** A message whose turn it is in its conversation. */
export interface QueuedMessage {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly to: Destination
  readonly outgoing: OutgoingContent
  readonly quotedMessageId: string | null
  readonly deliverUntil: Date | null
  readonly createdAt: Date
  /** Times that upstream was asked so far. */
  readonly attempts: number
  /** When upstream was asked without a stored outcome: it may have taken the message. Null when nothing is in doubt. */
  readonly attemptedAt: Date | null
}

/** A head as its row has it. `outgoing` is null when the row cannot be read, so that the message can never be sent. */
export type QueuedHead = Omit<QueuedMessage, 'outgoing'> & { readonly outgoing: OutgoingContent | null }

/** What came of a try. Each is compare-and-set on QUEUED: a message that status webhooks moved meanwhile stays. */
export type SendSettlement = { readonly messageId: MessageId }
  /** Upstream took it: SENT with message.sent; the content to be sent is forgotten. */
  & (
    | { readonly kind: 'sent'; readonly externalMessageId: string }
    /** FAILED with message.failed. */
    | { readonly kind: 'failed'; readonly failure: MessageFailure }
    /**
     * Nothing was sent: still QUEUED, for `afterMs` from now at least. Later messages of its conversation wait behind
     * it.
     */
    | { readonly kind: 'again'; readonly afterMs: number }
  )

/** `applied`; `moved`: the message is no longer QUEUED; `fenced`: another node owns the number. */
export type SettleResult = 'applied' | 'moved' | 'fenced'

/** The queued messages of a number, for its owner. Concurrent writes of all numbers of a node share statements. */
export interface SendQueue {
  /**
   * Lists the head of each conversation that has due messages, oldest first, without the conversations in `except`. A
   * message behind another QUEUED one that was due before it is no head, even when that one is put off or in doubt.
   */
  heads(numberId: NumberId, except: readonly ConversationId[], limit: number): Promise<QueuedHead[]>
  /**
   * Notes that upstream is asked now, so that a crash leaves the doubt in the row. `moved`: the message must not be
   * sent any more (canceled, settled by a status, past its `deliverUntil`).
   */
  begin(fence: Fence, messageId: MessageId): Promise<SettleResult>
  settle(fence: Fence, settlement: SendSettlement): Promise<SettleResult>
  /** Finds when the next message of the number becomes due, among those not due yet; null when there is none. */
  nextDueAt(numberId: NumberId): Promise<Date | null>
  /** Lists OPEN numbers with a due message, at start and for lost wake-ups. */
  listDue(limit: number): Promise<NumberId[]>
  /**
   * Counts the due messages of all numbers that are not sent, and tells since when the first of them waits; null when
   * there is none.
   */
  waiting(): Promise<{ readonly count: number; readonly since: Date | null }>
  /**
   * Ends messages that waited too long: past `deliverUntil` EXPIRED_AFTER_ATTEMPTS; 7 days old
   * NEVER_ATTEMPTED_MAX_AGE_EXCEEDED, or DELIVERY_TIMEOUT when it was tried ([messages.failures.10] to
   * [messages.failures.12]). Leaves alone those that upstream was asked for within `doubtMs`. Any node may call it.
   * Gives their number.
   */
  expire(limit: number, doubtMs: number): Promise<number>
}

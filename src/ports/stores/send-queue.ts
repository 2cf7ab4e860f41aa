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
  /** Times upstream was asked so far. */
  readonly attempts: number
  /** When upstream was asked and no outcome was stored: it may have taken the message. Null: nothing is in doubt. */
  readonly attemptedAt: Date | null
}

/** A head as its row has it. `outgoing` null: what the row holds cannot be read, so that it can never be sent. */
export type QueuedHead = Omit<QueuedMessage, 'outgoing'> & { readonly outgoing: OutgoingContent | null }

/** What came of a try. Each is compare-and-set on QUEUED: what status webhooks moved meanwhile stays. */
export type SendSettlement = { readonly messageId: MessageId }
  /** Upstream took it: SENT with message.sent; what was to be sent is forgotten. */
  & (
    | { readonly kind: 'sent'; readonly externalMessageId: string }
    /** FAILED with message.failed. */
    | { readonly kind: 'failed'; readonly failure: MessageFailure }
    /**
     * Nothing was sent: QUEUED still, not before `afterMs` from now. Later messages of its conversation wait behind it.
     */
    | { readonly kind: 'again'; readonly afterMs: number }
  )

/** `applied`; `moved`: it is not QUEUED any more; `fenced`: another node owns the number. */
export type SettleResult = 'applied' | 'moved' | 'fenced'

/**
 * The queued messages of a number, for its owner. Writes of all numbers of a node that come together share statements.
 */
export interface SendQueue {
  /**
   * The head of each conversation that has due messages, oldest first, none of the conversations in `except`. A message
   * behind another QUEUED one that was due before it is no head, even when that one is put off or in doubt.
   */
  heads(numberId: NumberId, except: readonly ConversationId[], limit: number): Promise<QueuedHead[]>
  /**
   * Notes that upstream is asked now, so that a crash leaves the doubt in the row. `moved`: it is not to be sent any
   * more (canceled, settled by a status, past its `deliverUntil`).
   */
  begin(fence: Fence, messageId: MessageId): Promise<SettleResult>
  settle(fence: Fence, settlement: SendSettlement): Promise<SettleResult>
  /** When the next message of the number becomes due, among those not due yet. */
  nextDueAt(numberId: NumberId): Promise<Date | null>
  /** OPEN numbers with a due message, for start-up and as a net under lost wake-ups. */
  listDue(limit: number): Promise<NumberId[]>
  /**
   * Messages of all numbers whose time has come and that are not sent, and since when the first of them waits: null
   * when there is none.
   */
  waiting(): Promise<{ readonly count: number; readonly since: Date | null }>
  /**
   * Ends what waited too long: past `deliverUntil` EXPIRED_AFTER_ATTEMPTS; 7 days old NEVER_ATTEMPTED_MAX_AGE_EXCEEDED,
   * or DELIVERY_TIMEOUT when it was tried. Leaves alone what was asked of upstream within `doubtMs`. Any node may call
   * it. Answers how many.
   */
  expire(limit: number, doubtMs: number): Promise<number>
}

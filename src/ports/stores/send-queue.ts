import type { ConversationId, MessageBatchId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Destination, MessageFailure } from '../../domain/message.ts'
import type { OutgoingContent } from '../../domain/outgoing.ts'
import type { Traced } from '../../domain/trace.ts'
import type { Fence } from '../leases.ts'

/** A message whose turn it is in its conversation. */
export interface QueuedMessage extends Traced {
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
  /** The batch that it was accepted with; null when it was sent alone. */
  readonly batch: QueuedBatch | null
}

/** The batch of a queued message. */
export interface QueuedBatch {
  readonly id: MessageBatchId
  /** Most messages that are begun in a minute; null for as many as the number sends. */
  readonly perMinute: number | null
  /** How many ms ago a message of it was last begun; null when none was. */
  readonly begunMs: number | null
}

/** A look at what waits of batches. */
export interface BatchLook {
  /** Most messages to list, of all batches. */
  readonly limit: number
  /** Conversations whose messages are not listed. */
  readonly except: readonly ConversationId[]
  /** How many messages of a batch are in hand already. */
  readonly held: Readonly<Record<MessageBatchId, number>>
}

/** A look that lists nothing of batches. */
export const NO_BATCHES: BatchLook = { limit: 0, except: [], held: {} }
/**
 * Our choice: messages of one batch in hand at most. Looks are 100 ms apart, so a batch alone reaches 500 a second, as
 * other sends do.
 */
const BATCH_AHEAD = 50

/** How many messages of a batch may be in hand: about what its pace sends in a second, and the next one. */
export function batchAhead(perMinute: number | null): number {
  return perMinute === null ? BATCH_AHEAD : Math.min(BATCH_AHEAD, Math.ceil(perMinute / 60) + 1)
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
    /**
     * A limit of its account holds it: still QUEUED, due `afterMs` from now. Later messages of its conversation go
     * before it.
     */
    | { readonly kind: 'held'; readonly afterMs: number }
  )

/** `applied`; `moved`: the message is no longer QUEUED; `fenced`: another node owns the number. */
export type SettleResult = 'applied' | 'moved' | 'fenced'

/** The queued messages of a number, for its owner. Concurrent writes of all numbers of a node share statements. */
export interface SendQueue {
  /**
   * Lists the head of each conversation that has due messages, oldest first, without the conversations in `except`. A
   * message behind another QUEUED one that was due before it is no head, even when that one is put off or in doubt.
   * Messages of batches count apart: they hold no other sends and no other batch, and stand behind the `limit` heads,
   * those of the batch that was begun longest ago first, each batch with at most `batchAhead` in hand.
   */
  heads(
    numberId: NumberId,
    except: readonly ConversationId[],
    limit: number,
    batches?: BatchLook,
  ): Promise<QueuedHead[]>
  /**
   * Notes that upstream is asked now, so that a crash leaves the doubt in the row. `moved`: the message must not be
   * sent any more (canceled, settled by a status, past its `deliverUntil`).
   */
  begin(fence: Fence, messageId: MessageId): Promise<SettleResult>
  settle(fence: Fence, settlement: SendSettlement): Promise<SettleResult>
  /**
   * Finds when the next message of the number becomes due, among those that were not due `agoMs` ago; 0 when left out.
   * Null when there is none.
   */
  nextDueAt(numberId: NumberId, agoMs?: number): Promise<Date | null>
  /**
   * Makes held messages of the account's numbers due at their first time again, because its limit may have room. Gives
   * the numbers that have some.
   */
  letGo(tenantId: TenantId, accountId: string): Promise<NumberId[]>
  /** Lists OPEN numbers with a due message, at start and for lost wake-ups. */
  listDue(limit: number): Promise<NumberId[]>
  /**
   * Counts the due messages of all numbers that are not sent, without those of batches, which wait for their pace.
   * Tells since when the first of them waits; null when there is none.
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

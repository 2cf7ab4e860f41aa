import type { MessageBatchId, NumberId, TenantId } from '../../domain/ids.ts'
import type { MessageStatus } from '../../domain/message.ts'
import type { AcceptOutcome, ClaimedAnswer, NewMessage } from './message-store.ts'

/** Messages that are about to be accepted together. */
export interface NewBatch {
  readonly id: MessageBatchId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** Most messages that are begun in a minute; null for as many as the number sends. */
  readonly perMinute: number | null
  readonly createdAt: Date
  /** In the order in which they are sent; may be empty. */
  readonly messages: readonly NewMessage[]
}

/** What became of the messages of a batch. Those that privacy removed do not count. */
export interface BatchCounts {
  readonly id: MessageBatchId
  readonly perMinute: number | null
  /** Messages that were accepted. */
  readonly accepted: number
  readonly createdAt: Date
  /** Statuses that no message has are absent. */
  readonly counts: Readonly<Partial<Record<MessageStatus, number>>>
}

export type AcceptBatchOutcome =
  | Exclude<AcceptOutcome, { kind: 'stale' }>
  /** Templates or Flows of these messages, by their place, are no longer as they were read: nothing was stored. */
  | { readonly kind: 'stale'; readonly places: readonly number[] }

/** Batches of messages. Every query is of one number. */
export interface MessageBatches {
  /** Stores the batch, all its messages and the claim in one statement, or nothing; durable once it resolves. */
  accept(batch: NewBatch, claim: ClaimedAnswer | null): Promise<AcceptBatchOutcome>
  /** Null when the number has no such batch. */
  find(numberId: NumberId, id: string): Promise<BatchCounts | null>
  /**
   * Cancels every message of the batch that waits and that upstream cannot have taken. Answers how many; null when the
   * number has no such batch.
   */
  cancel(numberId: NumberId, id: string): Promise<number | null>
}

import type { ConversationId, MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { SendableContent, SendResult } from '../../src/ports/provider.ts'
import type { TakenPlace } from '../../src/ports/stores/reach-store.ts'
import type { QueuedMessage, SettleResult } from '../../src/ports/stores/send-queue.ts'
import type { SendingRules } from './rules.ts'

export type PrepareOutcome =
  | { readonly ok: true; readonly content: SendableContent }
  | { readonly ok: false; readonly failure: MessageFailure; readonly isRetryable: boolean }

export type CountOutcome =
  /** The message may go. `place` is what was taken for it; null where nobody counts it. */
  | { readonly kind: 'taken'; readonly place: TakenPlace | null }
  /** The message is held for `afterMs`. */
  | { readonly kind: 'full'; readonly afterMs: number }
  /** The store did not answer after all retries; `fault` is its own reason, null when it is away. */
  | { readonly kind: 'failed'; readonly fault: Fault | null }

/** `failed` means that the store did not take it after all retries. */
export type StoreOutcome = SettleResult | 'failed'

/** The outcome of a store, with its own reason to fail; null when the store is away. */
interface OfStore {
  readonly outcome: StoreOutcome
  readonly fault?: Fault | null
}

/** Names the hand that an outcome is for. */
interface OfHand {
  readonly conversationId: ConversationId
  readonly attempt: number
}

/** Everything the sending actor of a number hears. */
export type SendingMessage =
  /**
   * The session can send and there may be work. `wakes` counts these, so that a report can name the last one it knew
   * of. `rules` are those of the number as it is now.
   */
  | { readonly type: 'Wake'; readonly wakes: number; readonly rules?: SendingRules }
  /** The session cannot send: messages that are not with upstream are let go of. */
  | { readonly type: 'Shut' }
  | { readonly type: 'HeadsRead'; readonly attempt: number; readonly heads: readonly QueuedMessage[] | null }
  | ({ readonly type: 'Prepared'; readonly outcome: PrepareOutcome } & OfHand)
  | ({ readonly type: 'Counted'; readonly outcome: CountOutcome } & OfHand)
  | ({ readonly type: 'Begun' } & OfStore & OfHand)
  /** `luck` is random, from 0 to 1. */
  | ({
      readonly type: 'Answered'
      readonly messageId: MessageId
      readonly result: SendResult
      readonly hadSession: boolean
      readonly luck: number
    } & OfHand)
  | ({ readonly type: 'Settled' } & OfStore & OfHand)
  /**
   * The ms until the next message becomes due; null when there is none. `isKnown` is false when the store did not
   * answer.
   */
  | { readonly type: 'DueRead'; readonly attempt: number; readonly inMs: number | null; readonly isKnown: boolean }
  | { readonly type: 'TimerFired' }
  /** A status said what became of the message, and its row says so too. */
  | { readonly type: 'Named'; readonly messageId: MessageId }
  /** Stops once every request to upstream is settled. */
  | { readonly type: 'Drain' }
  | { readonly type: 'Fenced' }

import type { ConversationId, MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { SendableContent, SendResult } from '../../src/ports/provider.ts'
import type { QueuedMessage, SettleResult } from '../../src/ports/stores/send-queue.ts'

export type PrepareOutcome =
  | { readonly ok: true; readonly content: SendableContent }
  | { readonly ok: false; readonly failure: MessageFailure; readonly isRetryable: boolean }

/** `failed`: the store did not take it, after all retries. */
export type StoreOutcome = SettleResult | 'failed'

/** Why the store did not take it, where that was for a reason of its own. */
interface OfStore {
  readonly outcome: StoreOutcome
  readonly fault?: Fault | null
}

/** Names what a message in hand is waiting for; others of its conversation come later. */
interface OfHand {
  readonly conversationId: ConversationId
  readonly attempt: number
}

/** Everything the sending actor of a number hears. */
export type SendingMessage =
  /** The session can send and there may be work. `wakes` counts these, so that a report can say which it knew of. */
  | { readonly type: 'Wake'; readonly wakes: number }
  /** The session cannot send: what is not with upstream already is let go of. */
  | { readonly type: 'Shut' }
  | { readonly type: 'HeadsRead'; readonly attempt: number; readonly heads: readonly QueuedMessage[] | null }
  | ({ readonly type: 'Prepared'; readonly outcome: PrepareOutcome } & OfHand)
  | ({ readonly type: 'Begun' } & OfStore & OfHand)
  /** `luck`: at random, from 0 to 1. */
  | ({
      readonly type: 'Answered'
      readonly messageId: MessageId
      readonly result: SendResult
      readonly hadSession: boolean
      readonly luck: number
    } & OfHand)
  | ({ readonly type: 'Settled' } & OfStore & OfHand)
  /** When the next message becomes due; null when there is none. `isKnown` false: the store did not answer. */
  | { readonly type: 'DueRead'; readonly attempt: number; readonly inMs: number | null; readonly isKnown: boolean }
  | { readonly type: 'TimerFired' }
  /** A status said what became of the message, and its row follows. */
  | { readonly type: 'Named'; readonly messageId: MessageId }
  /** Stops once what upstream was asked is settled. */
  | { readonly type: 'Drain' }
  | { readonly type: 'Fenced' }

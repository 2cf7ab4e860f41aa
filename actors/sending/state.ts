import type { ConversationId, MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { SendableContent } from '../../src/ports/provider.ts'
import type { QueuedMessage, SendSettlement } from '../../src/ports/stores/send-queue.ts'
import type { Bucket } from './pace.ts'
import type { SendingRules } from './rules.ts'

/** Where a message in hand stands. */
export type Phase =
  /** Not before `untilMs`; then its media are prepared, or it is sent as pace and session allow. */
  | { readonly at: 'WAITING'; readonly untilMs: number }
  | { readonly at: 'PREPARING'; readonly attempt: number }
  /** The row notes that upstream is asked. */
  | { readonly at: 'BEGINNING'; readonly attempt: number }
  | { readonly at: 'SENDING'; readonly attempt: number }
  /**
   * The outcome is being stored. `resumeMs`: when the message is tried again, null when this ends it. `retryMs`: the
   * store did not answer, and is asked again then.
   */
  | {
      readonly at: 'SETTLING'
      readonly attempt: number
      readonly settlement: SendSettlement
      readonly resumeMs: number | null
      readonly retryMs: number | null
    }

/** A message this actor has taken; the others of its conversation wait behind it. */
export interface Hand {
  readonly message: QueuedMessage
  /** Null until its media are prepared. */
  readonly content: SendableContent | null
  readonly phase: Phase
  /** Times media could not be prepared. */
  readonly prepares: number
  /** Times in a row that upstream throttled it. */
  readonly throttles: number
  /** Times nothing was sent although there was a session. */
  readonly faults: number
  /** Times upstream gave no answer: it may have taken the message. */
  readonly doubts: number
  /** How it fails unless a status names it until its wait is over; null while it may be asked for again. */
  readonly verdict: MessageFailure | null
  /** A status said what became of it while the answer was still out. */
  readonly isNamed: boolean
}

/** Looks at the queue. */
export interface Look {
  /** The read under way. */
  readonly reading: { readonly attempt: number; readonly limit: number } | null
  /** There may be more than was read. */
  readonly isWanted: boolean
  readonly notBeforeMs: number
}

/** When the next message becomes due, of those that are not yet. */
export interface Due {
  readonly asking: number | null
  /** `atMs` holds, as far as was told. */
  readonly isKnown: boolean
  readonly atMs: number | null
  readonly notBeforeMs: number
}

/** Times are monotonic ms. */
export interface SendingState {
  readonly rules: SendingRules
  readonly gate: 'OPEN' | 'SHUT' | 'DRAINING' | 'STOPPED'
  /** Number of the last wake. */
  readonly wakes: number
  /** Of the wake after which the number was told that nothing is left to do; null when it was told of work since. */
  readonly idleWake: number | null
  /** Number of the last attempt started. */
  readonly attempts: number
  /** In the order they were found. */
  readonly hands: ReadonlyMap<ConversationId, Hand>
  readonly look: Look
  readonly due: Due
  /** The whole number is throttled until then. */
  readonly pausedUntilMs: number
  /** Times in a row that it was. */
  readonly pauses: number
  readonly bucket: Bucket | undefined
  readonly pairs: ReadonlyMap<ConversationId, Bucket>
  /** When the timer fires that is running. */
  readonly timerMs: number | null
}

/** The only things sending does to the world; effects.ts does them. */
export type SendingEffect =
  | {
      readonly type: 'readHeads'
      readonly attempt: number
      readonly except: readonly ConversationId[]
      readonly limit: number
    }
  | { readonly type: 'readDue'; readonly attempt: number }
  | { readonly type: 'prepare'; readonly attempt: number; readonly message: QueuedMessage }
  /** The preparation under way is not needed any more. */
  | { readonly type: 'abandon'; readonly attempt: number }
  | { readonly type: 'begin'; readonly attempt: number; readonly message: QueuedMessage }
  | {
      readonly type: 'send'
      readonly attempt: number
      readonly message: QueuedMessage
      readonly content: SendableContent
    }
  | {
      readonly type: 'settle'
      readonly attempt: number
      readonly conversationId: ConversationId
      readonly settlement: SendSettlement
    }
  /** It cannot be sent, or what came of it cannot be stored, for a reason of its own: for the operator. */
  | { readonly type: 'noteAside'; readonly messageId: MessageId; readonly fault: Fault }
  | { readonly type: 'startTimer'; readonly delayMs: number }
  | { readonly type: 'cancelTimer' }
  /** Tells the number whether it has to stay in memory. */
  | { readonly type: 'report'; readonly isBusy: boolean; readonly wakes: number }
  | { readonly type: 'stop'; readonly why: 'drained' | 'fenced' }

export interface Step {
  readonly state: SendingState
  readonly effects: readonly SendingEffect[]
}

export function initialState(rules: SendingRules): SendingState {
  return {
    rules,
    gate: 'SHUT',
    wakes: 0,
    idleWake: null,
    attempts: 0,
    hands: new Map(),
    look: { reading: null, isWanted: false, notBeforeMs: 0 },
    due: { asking: null, isKnown: false, atMs: null, notBeforeMs: 0 },
    pausedUntilMs: 0,
    pauses: 0,
    bucket: undefined,
    pairs: new Map(),
    timerMs: null,
  }
}

export function step(state: SendingState, effects: readonly SendingEffect[] = []): Step {
  return { state, effects }
}

/** Puts a hand back changed, in its place. */
export function withHand(state: SendingState, hand: Hand): SendingState {
  return { ...state, hands: new Map(state.hands).set(hand.message.conversationId, hand) }
}

/** Lets a conversation go: the next message of it may be found. */
export function withoutHand(state: SendingState, conversationId: ConversationId): SendingState {
  const hands = new Map(state.hands)
  hands.delete(conversationId)
  return { ...state, hands, look: { ...state.look, isWanted: true } }
}

/** With upstream, or being written: nothing can be taken back any more. */
export function isInFlight({ phase }: Hand): boolean {
  return phase.at === 'BEGINNING' || phase.at === 'SENDING' || phase.at === 'SETTLING'
}

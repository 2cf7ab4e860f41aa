import type { ConversationId, MessageBatchId, MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { SendableContent } from '../../src/ports/provider.ts'
import type { TakenPlace } from '../../src/ports/stores/reach-store.ts'
import type { BatchLook, QueuedMessage, SendSettlement } from '../../src/ports/stores/send-queue.ts'
import type { Bucket } from './pace.ts'
import type { DailyLimit, SendingRules } from './rules.ts'

/** The phase of a message in hand. */
export type Phase =
  /** Does nothing before `untilMs`. Then its media are prepared, or it is sent as pace and session allow. */
  | { readonly at: 'WAITING'; readonly untilMs: number }
  | { readonly at: 'PREPARING'; readonly attempt: number }
  /** Its person is being counted, where the account's limit a day asks for that. */
  | { readonly at: 'COUNTING'; readonly attempt: number }
  /** The row is being marked as asked of upstream. */
  | { readonly at: 'BEGINNING'; readonly attempt: number }
  | { readonly at: 'SENDING'; readonly attempt: number }
  /**
   * The outcome is being stored. `resumeMs` is when the message is tried again, null when it ends. `retryMs` is when
   * the store is asked again, null unless it did not answer.
   */
  | {
      readonly at: 'SETTLING'
      readonly attempt: number
      readonly settlement: SendSettlement
      readonly resumeMs: number | null
      readonly retryMs: number | null
    }

/** That the limit a day lets a message go; see daily.ts. */
export interface Counted {
  /** Monotonic ms. */
  readonly atMs: number
  /** What is given back if the message is not sent; null when nothing was counted. */
  readonly place: TakenPlace | null
}

/** A message that this actor has taken; the others of its conversation wait behind it. */
export interface Hand {
  readonly message: QueuedMessage
  /** Null until its media are prepared. */
  readonly content: SendableContent | null
  readonly phase: Phase
  /** Null until the limit a day was asked, where there is one. */
  readonly counted: Counted | null
  /** Failed tries to prepare its media. */
  readonly prepares: number
  /** How often in a row upstream throttled it. */
  readonly throttles: number
  /** Tries in which nothing was sent although there was a session. */
  readonly faults: number
  /** Tries without an answer of upstream, which may have taken the message. */
  readonly doubts: number
  /**
   * The failure that it ends with, unless a status names it before its wait is over; null while it may be tried again.
   */
  readonly verdict: MessageFailure | null
  /** True when a status said what became of it while the answer was still out. */
  readonly isNamed: boolean
}

/** The looks at the queue. */
export interface Look {
  /** The read under way; null without one. */
  readonly reading: { readonly attempt: number; readonly limit: number } | null
  /** True when more may wait than was read. */
  readonly isWanted: boolean
  readonly notBeforeMs: number
  /** When the last read was asked for; null before the first. */
  readonly askedMs: number | null
}

/** When the next message becomes due, of those that wait for their time. */
export interface Due {
  readonly asking: number | null
  /** True while `atMs` is current, as far as was told. */
  readonly isKnown: boolean
  readonly atMs: number | null
  readonly notBeforeMs: number
}

/** All times are monotonic ms. */
export interface SendingState {
  readonly rules: SendingRules
  readonly gate: 'OPEN' | 'SHUT' | 'DRAINING' | 'STOPPED'
  /** Number of the last wake. */
  readonly wakes: number
  /** The wake after which the number was told that nothing is left to do; null when it was told of work since. */
  readonly idleWake: number | null
  /** Number of the last attempt started. */
  readonly attempts: number
  /** The messages in hand, in the order they were found. */
  readonly hands: ReadonlyMap<ConversationId, Hand>
  readonly look: Look
  readonly due: Due
  /** Until when the whole number is throttled. */
  readonly pausedUntilMs: number
  /** How often in a row the number was throttled. */
  readonly pauses: number
  readonly bucket: Bucket | undefined
  readonly pairs: ReadonlyMap<ConversationId, Bucket>
  /** The paces of batches that have one. */
  readonly batches: ReadonlyMap<MessageBatchId, Bucket>
  /** When the running timer fires; null without one. */
  readonly timerMs: number | null
}

/** The only effects of sending on the world; effects.ts does them. */
export type SendingEffect =
  | {
      readonly type: 'readHeads'
      readonly attempt: number
      readonly except: readonly ConversationId[]
      readonly limit: number
      readonly batches: BatchLook
    }
  /** `agoMs`: messages that became due so many ms ago count, too: the last look did not see them. */
  | { readonly type: 'readDue'; readonly attempt: number; readonly agoMs: number }
  | { readonly type: 'prepare'; readonly attempt: number; readonly message: QueuedMessage }
  /** Abandons a preparation that is no longer needed. */
  | { readonly type: 'abandon'; readonly attempt: number }
  | {
      readonly type: 'count'
      readonly attempt: number
      readonly message: QueuedMessage
      readonly limit: DailyLimit
    }
  | { readonly type: 'giveBack'; readonly place: TakenPlace }
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
      /** The place of a message that was not sent, which is given back first. */
      readonly place: TakenPlace | null
    }
  /**
   * Notes for the operator a message that cannot be sent, or whose outcome cannot be stored, for a reason of its own.
   */
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
    look: { reading: null, isWanted: false, notBeforeMs: 0, askedMs: null },
    due: { asking: null, isKnown: false, atMs: null, notBeforeMs: 0 },
    pausedUntilMs: 0,
    pauses: 0,
    bucket: undefined,
    pairs: new Map(),
    batches: new Map(),
    timerMs: null,
  }
}

export function step(state: SendingState, effects: readonly SendingEffect[] = []): Step {
  return { state, effects }
}

/** Puts back a changed hand, in its place. */
export function withHand(state: SendingState, hand: Hand): SendingState {
  return { ...state, hands: new Map(state.hands).set(hand.message.conversationId, hand) }
}

/** Lets a conversation go, so that its next message can be found. */
export function withoutHand(state: SendingState, conversationId: ConversationId): SendingState {
  const hands = new Map(state.hands)
  hands.delete(conversationId)
  return { ...state, hands, look: { ...state.look, isWanted: true } }
}

/** Whether a message is with upstream or being written, so that it cannot be let go of. */
export function isInFlight({ phase }: Hand): boolean {
  return phase.at === 'COUNTING' || phase.at === 'BEGINNING' || phase.at === 'SENDING' || phase.at === 'SETTLING'
}

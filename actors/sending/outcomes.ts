import type { MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import { mediaIn, withSources } from '../../src/domain/outgoing.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { QueuedMessage, SendSettlement } from '../../src/ports/stores/send-queue.ts'
import { backoffMs, throttleDelayMs } from './backoff.ts'
import type { SendingMessage } from './messages.ts'
import type { Hand, SendingState, Step } from './state.ts'
import { step, withHand, withoutHand } from './state.ts'

/** our choice: throttled so often in a row, which takes about five minutes, a message fails. */
const THROTTLES = 8
/** our choice: upstream answered with a fault of its own so often, which takes some minutes. */
const FAULTS = 10
/** our choice: no answer so often, where upstream knows a repetition by its id. */
const DEDUPLICATED_DOUBTS = 10
/**
 * our choice: where it does not, a message is asked for at most so often: each time without a status it may arrive once
 * more.
 */
const RECONCILED_DOUBTS = 5
/** our choice: a host of media that cannot be reached is tried so often. */
const PREPARES = 3
/** our choice. */
const STORE_RETRY_MS = 5_000
const NO_SESSION_MS = 1_000

type Of<T extends SendingMessage['type']> = SendingMessage & { readonly type: T }

/** The message in hand that waits for this very outcome; null when it was let go of since. */
function handOf(
  state: SendingState,
  { conversationId, attempt }: Of<'Prepared' | 'Begun' | 'Answered' | 'Settled'>,
  at: Hand['phase']['at'],
): Hand | null {
  const hand = state.hands.get(conversationId)
  return hand && hand.phase.at === at && 'attempt' in hand.phase && hand.phase.attempt === attempt ? hand : null
}

/**
 * A message is taken in hand. One in doubt waits for a status all of its time anew: while nobody was there upstream
 * could tell nothing, and it comes back to that at its own pace.
 */
export function taken(
  message: QueuedMessage,
  { isDeduplicated, reconcileMs }: SendingState['rules'],
  nowMs: number,
): Hand {
  const isInDoubt = message.attemptedAt !== null
  const untilMs = isInDoubt && !isDeduplicated ? nowMs + reconcileMs : nowMs
  return {
    message,
    content: mediaIn(message.outgoing).length === 0 ? withSources(message.outgoing, []) : null,
    phase: { at: 'WAITING', untilMs },
    prepares: 0,
    throttles: 0,
    faults: 0,
    // Not all tries of the row were doubts: one more is always left (our choice).
    doubts: isInDoubt ? Math.min(Math.max(1, message.attempts), RECONCILED_DOUBTS - 1) : 0,
    verdict: null,
    isNamed: false,
  }
}

/** The message does nothing before `untilMs`. */
export function waitFor(state: SendingState, hand: Hand, untilMs: number): SendingState {
  return withHand(state, { ...hand, phase: { at: 'WAITING', untilMs } })
}

/** Stores what came of a message; `resumeMs` null: this is its end. */
function settle(state: SendingState, hand: Hand, settlement: SendSettlement, resumeMs: number | null): Step {
  const attempt = state.attempts + 1
  const { conversationId } = hand.message
  return step(
    withHand(
      { ...state, attempts: attempt },
      { ...hand, phase: { at: 'SETTLING', attempt, settlement, resumeMs, retryMs: null } },
    ),
    [{ type: 'settle', attempt, conversationId, settlement }],
  )
}

/**
 * The message has failed. Where upstream does not know a repetition, an earlier try without an answer may have arrived
 * though the last was refused: then a status is waited for once more before it fails.
 */
export function failWith(state: SendingState, hand: Hand, failure: MessageFailure, nowMs: number): Step {
  const { isDeduplicated, reconcileMs } = state.rules
  if (hand.doubts > 0 && !isDeduplicated && !hand.verdict)
    return step(waitFor(state, { ...hand, verdict: failure }, nowMs + reconcileMs))
  return settle(state, hand, { kind: 'failed', messageId: hand.message.id, failure }, null)
}

/** Nothing was sent: again after a while. */
function again(state: SendingState, hand: Hand, afterMs: number, nowMs: number): Step {
  return settle(state, hand, { kind: 'again', messageId: hand.message.id, afterMs }, nowMs + afterMs)
}

/** No answer and no status ever told what became of it. */
const TIMED_OUT: MessageFailure = {
  code: 'DELIVERY_TIMEOUT',
  message: 'Upstream never told what became of the message',
  details: null,
  upstreamCode: null,
}

/** The store is asked to take an outcome again. */
export function settleAgain(state: SendingState, hand: Hand): Step {
  const { phase } = hand
  return phase.at === 'SETTLING' ? settle(state, hand, phase.settlement, phase.resumeMs) : step(state)
}

export function prepared(state: SendingState, message: Of<'Prepared'>, nowMs: number): Step {
  const hand = handOf(state, message, 'PREPARING')
  if (!hand) return step(state)
  const { outcome } = message
  if (outcome.ok) return step(waitFor(state, { ...hand, content: outcome.content }, nowMs))
  const prepares = hand.prepares + 1
  if (!outcome.isRetryable || prepares >= PREPARES) return failWith(state, hand, outcome.failure, nowMs)
  return step(waitFor(state, { ...hand, prepares }, nowMs + backoffMs(prepares, 0)))
}

/** The row says that upstream is asked: now it is. */
export function begun(state: SendingState, message: Of<'Begun'>, nowMs: number): Step {
  const hand = handOf(state, message, 'BEGINNING')
  if (!hand || hand.content === null) return step(state)
  switch (message.outcome) {
    case 'applied': {
      const attempt = state.attempts + 1
      return step(withHand({ ...state, attempts: attempt }, { ...hand, phase: { at: 'SENDING', attempt } }), [
        { type: 'send', attempt, message: hand.message, content: hand.content },
      ])
    }
    case 'moved':
      return over(state, hand)
    case 'failed':
      if (message.fault) return giveUp(state, hand, message.fault, UNSENT)
      return step(
        state.gate === 'OPEN'
          ? waitFor(state, hand, nowMs + STORE_RETRY_MS)
          : withoutHand(state, hand.message.conversationId),
      )
    case 'fenced':
      return step({ ...state, gate: 'STOPPED' }, [{ type: 'stop', why: 'fenced' }])
  }
}

const UNSENT: MessageFailure = {
  code: 'INTERNAL_ERROR',
  message: 'The service could not work the message off, for a fault of its own; it was not sent',
  details: null,
  upstreamCode: null,
}
const SENT_UNSTORED: MessageFailure = {
  code: 'INTERNAL_ERROR',
  message:
    'Upstream took the message, and the service could not store its answer, for a fault of its own; it may arrive',
  details: null,
  upstreamCode: null,
}

function isGivenUp(settlement: SendSettlement): boolean {
  return settlement.kind === 'failed' && settlement.failure.code === 'INTERNAL_ERROR'
}

/**
 * Its rows cannot say how it stands, for a reason of their own: it ends as failed, what follows it goes on, and the
 * operator is told.
 */
function giveUp(state: SendingState, hand: Hand, fault: Fault, failure: MessageFailure): Step {
  const ended = settle(state, hand, { kind: 'failed', messageId: hand.message.id, failure }, null)
  return step(ended.state, [...ended.effects, { type: 'noteAside', messageId: hand.message.id, fault }])
}

/**
 * The message is done with, here or by others: canceled, expired, named by a status. Its files stay: the inbox shows
 * them, and makes it again of them ([embeds.inbox-routes.8]).
 */
function over(state: SendingState, { message }: Hand): Step {
  return step(withoutHand(state, message.conversationId))
}

/** What was in doubt is so no more: its conversation goes on. While the answer is out, that is waited for. */
export function named(state: SendingState, messageId: MessageId): Step {
  const hand = [...state.hands.values()].find(({ message }) => message.id === messageId)
  if (hand?.phase.at === 'SENDING') return step(withHand(state, { ...hand, isNamed: true }))
  return hand && hand.doubts > 0 && hand.phase.at === 'WAITING' ? over(state, hand) : step(state)
}

/** Upstream answered, or did not. */
export function answered(state: SendingState, message: Of<'Answered'>, nowMs: number): Step {
  const hand = handOf(state, message, 'SENDING')
  if (!hand) return step(state)
  const { result, luck } = message
  const messageId = hand.message.id
  switch (result.kind) {
    case 'sent':
      return settle(
        { ...state, pauses: 0 },
        hand,
        { kind: 'sent', messageId, externalMessageId: result.externalMessageId },
        null,
      )
    case 'refused':
      return failWith(state, hand, result.failure, nowMs)
    case 'throttled':
      return throttled(state, { ...hand, throttles: hand.throttles + 1 }, result, luck, nowMs)
    case 'unsent': {
      const rested: Hand = { ...hand, throttles: 0 }
      // Without a session there is no fault to count: the message waits for one.
      if (!message.hadSession || state.gate !== 'OPEN') return again(state, rested, NO_SESSION_MS, nowMs)
      const faults = hand.faults + 1
      if (faults >= FAULTS) return failWith(state, hand, result.failure, nowMs)
      return again(
        paused(state, result.afterMs, nowMs),
        { ...rested, faults },
        Math.max(backoffMs(faults, luck), result.afterMs ?? 0),
        nowMs,
      )
    }
    case 'unknown':
      return doubted(
        paused(state, result.afterMs, nowMs),
        { ...hand, throttles: 0, doubts: hand.doubts + 1 },
        luck,
        nowMs,
      )
  }
}

/** Upstream asks to be left alone for a while. */
function paused(state: SendingState, afterMs: number | undefined, nowMs: number): SendingState {
  return afterMs === undefined ? state : { ...state, pausedUntilMs: Math.max(state.pausedUntilMs, nowMs + afterMs) }
}

function throttled(
  state: SendingState,
  hand: Hand,
  { failure, afterMs, scope }: Extract<Of<'Answered'>['result'], { kind: 'throttled' }>,
  luck: number,
  nowMs: number,
): Step {
  const { throttledCode } = state.rules
  if (hand.throttles >= THROTTLES)
    return failWith(state, hand, throttledCode === null ? failure : { ...failure, code: throttledCode }, nowMs)
  if (scope === 'pair') return again(state, hand, throttleDelayMs(hand.throttles, afterMs, luck), nowMs)
  // Those that were out together are throttled together: that is one time.
  const pauses = nowMs >= state.pausedUntilMs ? state.pauses + 1 : Math.max(1, state.pauses)
  const delayMs = throttleDelayMs(Math.max(pauses, hand.throttles), afterMs, luck)
  return again(
    { ...state, pauses, pausedUntilMs: Math.max(state.pausedUntilMs, nowMs + delayMs) },
    hand,
    delayMs,
    nowMs,
  )
}

/**
 * Upstream may have taken it, and the row says so already. Sent again where upstream knows a repetition; else a status
 * is waited for, which moves the row: then `begin` finds it gone.
 */
function doubted(state: SendingState, hand: Hand, luck: number, nowMs: number): Step {
  const { isDeduplicated, reconcileMs } = state.rules
  if (hand.isNamed) return over(state, hand)
  if (state.gate !== 'OPEN') return step(withoutHand(state, hand.message.conversationId))
  if (hand.doubts >= (isDeduplicated ? DEDUPLICATED_DOUBTS : RECONCILED_DOUBTS))
    return failWith(state, hand, TIMED_OUT, nowMs)
  if (!isDeduplicated) return step(waitFor(state, hand, nowMs + reconcileMs))
  return step(waitFor(state, hand, nowMs + backoffMs(hand.doubts, luck)))
}

/** The outcome is stored. */
export function settled(state: SendingState, message: Of<'Settled'>, nowMs: number): Step {
  const hand = handOf(state, message, 'SETTLING')
  if (!hand || hand.phase.at !== 'SETTLING') return step(state)
  const { resumeMs } = hand.phase
  switch (message.outcome) {
    case 'applied':
      if (resumeMs === null) return over(state, hand)
      return step(
        state.gate === 'OPEN' ? waitFor(state, hand, resumeMs) : withoutHand(state, hand.message.conversationId),
      )
    case 'moved':
      return over(state, hand)
    case 'failed':
      if (message.fault && !isGivenUp(hand.phase.settlement))
        return giveUp(state, hand, message.fault, hand.phase.settlement.kind === 'sent' ? SENT_UNSTORED : UNSENT)
      return step(withHand(state, { ...hand, phase: { ...hand.phase, retryMs: nowMs + STORE_RETRY_MS } }))
    case 'fenced':
      return step({ ...state, gate: 'STOPPED' }, [{ type: 'stop', why: 'fenced' }])
  }
}

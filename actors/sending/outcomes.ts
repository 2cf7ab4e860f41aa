import type { MessageId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import { mediaIn, withSources } from '../../src/domain/outgoing.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { QueuedMessage, SendSettlement } from '../../src/ports/stores/send-queue.ts'
import { backoffMs, throttleDelayMs } from './backoff.ts'
import type { SendingMessage } from './messages.ts'
import { letGo, placeOf } from './places.ts'
import type { Hand, SendingState, Step } from './state.ts'
import { step, withHand, withoutHand } from './state.ts'

/** our choice: a message that was throttled this often in a row, which takes about five minutes, fails. */
const THROTTLES = 8
/** our choice: a message fails after this many faults of upstream, which take some minutes. */
const FAULTS = 10
/** our choice: most tries without an answer, where upstream recognises a repetition by its id. */
const DEDUPLICATED_DOUBTS = 10
/**
 * our choice: most tries without an answer where it does not, because each one without a status may deliver the message
 * once more.
 */
const RECONCILED_DOUBTS = 5
/** our choice: most tries to fetch media from a host that cannot be reached. */
const PREPARES = 3
/** our choice: pauses in ms before the store is asked again, and while there is no session. */
export const STORE_RETRY_MS = 5_000
const NO_SESSION_MS = 1_000

type Of<T extends SendingMessage['type']> = SendingMessage & { readonly type: T }

/** The hand that waits for this very outcome; null when it was let go of since. */
export function handOf(
  state: SendingState,
  { conversationId, attempt }: Of<'Prepared' | 'Counted' | 'Begun' | 'Answered' | 'Settled'>,
  at: Hand['phase']['at'],
): Hand | null {
  const hand = state.hands.get(conversationId)
  return hand && hand.phase.at === at && 'attempt' in hand.phase && hand.phase.attempt === attempt ? hand : null
}

/**
 * Takes a message in hand. One in doubt waits the whole time for a status again: while no gateway was there upstream
 * could not report, and it retries at its own pace.
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
    counted: null,
    prepares: 0,
    throttles: 0,
    faults: 0,
    // Not all tries that the row counts were doubts, so one more is always left (our choice).
    doubts: isInDoubt ? Math.min(Math.max(1, message.attempts), RECONCILED_DOUBTS - 1) : 0,
    verdict: null,
    isNamed: false,
  }
}

/** Lets the message wait until `untilMs`. */
export function waitFor(state: SendingState, hand: Hand, untilMs: number): SendingState {
  return withHand(state, { ...hand, phase: { at: 'WAITING', untilMs } })
}

/** Lets the message wait until `untilMs`, or lets go of it while nothing can be sent: its row keeps it. */
function resting(state: SendingState, hand: Hand, untilMs: number): SendingState {
  return state.gate === 'OPEN' ? waitFor(state, hand, untilMs) : withoutHand(state, hand.message.conversationId)
}

/**
 * Stores the outcome of a message, and gives back the place of one that was not sent. `resumeMs` is null when the
 * message ends here, or is let go of.
 */
export function settle(state: SendingState, hand: Hand, settlement: SendSettlement, resumeMs: number | null): Step {
  const attempt = state.attempts + 1
  const { conversationId } = hand.message
  return step(
    withHand(
      { ...state, attempts: attempt },
      { ...hand, counted: null, phase: { at: 'SETTLING', attempt, settlement, resumeMs, retryMs: null } },
    ),
    [{ type: 'settle', attempt, conversationId, settlement, place: settlement.kind === 'sent' ? null : placeOf(hand) }],
  )
}

/**
 * Fails a message. Where upstream does not recognise a repetition, an earlier try without an answer may have arrived
 * although the last was refused. Then a status is awaited once more before the message fails.
 */
export function failWith(state: SendingState, hand: Hand, failure: MessageFailure, nowMs: number): Step {
  const { isDeduplicated, reconcileMs } = state.rules
  if (hand.doubts > 0 && !isDeduplicated && !hand.verdict)
    return step(waitFor(state, { ...hand, verdict: failure }, nowMs + reconcileMs))
  return settle(state, hand, { kind: 'failed', messageId: hand.message.id, failure }, null)
}

/**
 * Tries the message again after a while, because nothing was sent. One of which an earlier try may have arrived keeps
 * its doubt, which putting it off would end: a message that nobody may have sent can be canceled.
 */
function again(state: SendingState, hand: Hand, afterMs: number, nowMs: number): Step {
  if (hand.doubts > 0) return step(resting(state, hand, nowMs + afterMs))
  return settle(state, hand, { kind: 'again', messageId: hand.message.id, afterMs }, nowMs + afterMs)
}

/** The failure of a message for which neither an answer nor a status ever came. */
const TIMED_OUT: MessageFailure = {
  code: 'DELIVERY_TIMEOUT',
  message: 'Upstream never told what became of the message',
  details: null,
  upstreamCode: null,
}

/** Asks the store again to take an outcome. */
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

/** The row says that upstream is asked, so the message is sent now. */
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
      return letGo(state, hand)
    case 'failed':
      if (message.fault) return giveUp(state, hand, message.fault, UNSENT)
      return state.gate === 'OPEN' ? step(waitFor(state, hand, nowMs + STORE_RETRY_MS)) : letGo(state, hand)
    case 'fenced':
      return step({ ...state, gate: 'STOPPED' }, [{ type: 'stop', why: 'fenced' }])
  }
}

export const UNSENT: MessageFailure = {
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
 * Fails a message whose outcome its rows cannot store, for a reason of their own. The next message of the conversation
 * goes on, and the operator is told.
 */
export function giveUp(state: SendingState, hand: Hand, fault: Fault, failure: MessageFailure): Step {
  const ended = settle(state, hand, { kind: 'failed', messageId: hand.message.id, failure }, null)
  return step(ended.state, [...ended.effects, { type: 'noteAside', messageId: hand.message.id, fault }])
}

/**
 * Lets go of a message that is finished, here or by others: canceled, expired, or named by a status. Its files stay,
 * because the inbox shows them and can send them again ([embeds.inbox-routes.8]).
 */
function over(state: SendingState, { message }: Hand): Step {
  return step(withoutHand(state, message.conversationId))
}

/**
 * Ends the doubt of a message that a status named, so its conversation goes on. While the answer is still out, that is
 * awaited.
 */
export function named(state: SendingState, messageId: MessageId): Step {
  const hand = [...state.hands.values()].find(({ message }) => message.id === messageId)
  if (hand?.phase.at === 'SENDING') return step(withHand(state, { ...hand, isNamed: true }))
  return hand && hand.doubts > 0 && hand.phase.at === 'WAITING' ? over(state, hand) : step(state)
}

/** Handles upstream's answer, or its absence. */
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
      // Without a session no fault counts: the message waits for one.
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

/** Pauses the number for as long as upstream asks. */
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
  // Messages that were out together are throttled together, which counts once.
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
 * Handles a message that upstream may have taken; its row already says so. It is sent again where upstream recognises a
 * repetition. Otherwise a status is awaited: if one moves the row, the next `begin` finds the message gone.
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

/** Handles the outcome of a store. */
export function settled(state: SendingState, message: Of<'Settled'>, nowMs: number): Step {
  const hand = handOf(state, message, 'SETTLING')
  if (!hand || hand.phase.at !== 'SETTLING') return step(state)
  const { resumeMs } = hand.phase
  switch (message.outcome) {
    case 'applied':
      if (resumeMs === null) return over(state, hand)
      return step(resting(state, hand, resumeMs))
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

import type { ConversationId } from '../../src/domain/ids.ts'
import type { QueuedMessage } from '../../src/ports/stores/send-queue.ts'
import { batchLook, batchWaitMs, inTurn, isOfBatch, placesFor, takenOfBatch, yields } from './batches.ts'
import { count, needsCount } from './daily.ts'
import { isFull, take, waitMs } from './pace.ts'
import { failWith, settleAgain } from './outcomes.ts'
import type { Hand, SendingEffect, SendingState, Step } from './state.ts'
import { isInFlight, step, withHand } from './state.ts'

/** our choice: most conversations asked for in one look. */
const HEADS_PAGE = 50
/** our choice: the queue is asked for more sends while fewer than this many of those in hand may go now. */
const LOW_TURNS = 25
/** our choice: most conversations in hand. With so many, most wait for backoff, doubt or media. */
const MAX_HANDS = 500
/** our choice: the least ms between two reads of the next due message. */
const DUE_MS = 1_000
/** our choice: a due message that is farther off than this many ms is read again by then. */
const FAR_MS = 3_600_000
/** our choice: with the paces of this many recipients remembered, those that are full again are forgotten. */
const PAIRS = 1_000

/** The use of everything that has a limit. */
interface Use {
  inFlight: number
  preparing: number
}

/** Does what may be done now, and sets the timer for what may be done later. Every turn ends here. */
export function advance(made: Step, nowMs: number): Step {
  if (made.state.gate === 'STOPPED') return made
  const effects = [...made.effects]
  let state = workOn(made.state, nowMs, effects)
  state = lookOut(state, nowMs, effects)
  state = tell(state, effects)
  return state.gate === 'STOPPED' ? step(state, effects) : step(setTimer(state, nowMs, effects), effects)
}

function useOf(state: SendingState): Use {
  const use = { inFlight: 0, preparing: 0 }
  for (const hand of state.hands.values()) {
    if (isInFlight(hand)) use.inFlight++
    else if (hand.phase.at === 'PREPARING') use.preparing++
  }
  return use
}

function workOn(before: SendingState, nowMs: number, effects: SendingEffect[]): SendingState {
  let state = before
  const use = useOf(state)
  for (const hand of inTurn(before)) {
    const made = moveOn(state, hand, use, nowMs)
    if (!made) continue
    state = made.state
    effects.push(...made.effects)
  }
  return state
}

/** The next step of one message; null when it has to wait. */
function moveOn(state: SendingState, hand: Hand, use: Use, nowMs: number): Step | null {
  const { phase } = hand
  if (phase.at === 'SETTLING') return phase.retryMs !== null && phase.retryMs <= nowMs ? settleAgain(state, hand) : null
  if (phase.at !== 'WAITING' || phase.untilMs > nowMs || state.gate !== 'OPEN') return null
  if (hand.verdict) return failWith(state, hand, hand.verdict, nowMs)
  if (hand.content === null) return prepare(state, hand, use)
  return begin(state, hand, use, nowMs)
}

function prepare(state: SendingState, hand: Hand, use: Use): Step | null {
  if (use.preparing >= placesFor(hand.message, state.rules.preparing)) return null
  use.preparing++
  const attempt = state.attempts + 1
  return step(withHand({ ...state, attempts: attempt }, { ...hand, phase: { at: 'PREPARING', attempt } }), [
    { type: 'prepare', attempt, message: hand.message },
  ])
}

function begin(state: SendingState, hand: Hand, use: Use, nowMs: number): Step | null {
  const { rules, bucket, pairs } = state
  const { message } = hand
  if (use.inFlight >= placesFor(message, rules.inFlight) || paceMs(state, message, nowMs) > 0) return null
  use.inFlight++
  if (needsCount(state, hand, nowMs)) return count(state, hand)
  const attempt = state.attempts + 1
  const paced = {
    ...state,
    attempts: attempt,
    bucket: take(rules.number, bucket, nowMs),
    pairs: remember(state, nowMs).set(
      message.conversationId,
      take(rules.pair, pairs.get(message.conversationId), nowMs),
    ),
    batches: takenOfBatch(state, message, nowMs),
  }
  return step(withHand(paced, { ...hand, phase: { at: 'BEGINNING', attempt } }), [{ type: 'begin', attempt, message }])
}

/** The ms until the message may be sent. */
function paceMs(state: SendingState, message: QueuedMessage, nowMs: number): number {
  const { rules, bucket, pairs, pausedUntilMs } = state
  return Math.max(
    pausedUntilMs - nowMs,
    waitMs(rules.number, bucket, nowMs),
    waitMs(rules.pair, pairs.get(message.conversationId), nowMs),
    batchWaitMs(state, message, nowMs),
    0,
  )
}

function remember(
  { rules, pairs }: SendingState,
  nowMs: number,
): Map<ConversationId, { tokens: number; atMs: number }> {
  if (pairs.size < PAIRS) return new Map(pairs)
  return new Map([...pairs].filter(([, bucket]) => !isFull(rules.pair, bucket, nowMs)))
}

function hasTurn({ phase }: Hand, nowMs: number): boolean {
  return phase.at === 'WAITING' && phase.untilMs <= nowMs
}

/**
 * How many more conversations of single sends may be taken in hand; 0 while there is enough to do, also for batches,
 * which would have to wait.
 */
function roomOf({ hands }: SendingState, nowMs: number): number {
  let [turns, alone] = [0, 0]
  for (const hand of hands.values()) {
    if (isOfBatch(hand)) continue
    alone++
    if (hasTurn(hand, nowMs)) turns++
  }
  return turns > LOW_TURNS ? 0 : Math.min(HEADS_PAGE, MAX_HANDS - alone)
}

/** The conversations whose single sends have to wait. */
function exceptOf({ hands }: SendingState): ConversationId[] {
  return [...hands.values()].filter((hand) => !yields(hand)).map(({ message }) => message.conversationId)
}

/** Looks for more messages, and for those that become due later. */
function lookOut(before: SendingState, nowMs: number, effects: SendingEffect[]): SendingState {
  if (before.gate !== 'OPEN') return before
  let state = before
  if (state.due.atMs !== null && state.due.atMs <= nowMs) {
    state = { ...state, due: { ...state.due, atMs: null, isKnown: false }, look: { ...state.look, isWanted: true } }
  }
  const { look, due, rules } = state
  const limit = look.isWanted && look.reading === null && look.notBeforeMs <= nowMs ? roomOf(state, nowMs) : 0
  if (limit > 0) {
    const attempt = state.attempts + 1
    effects.push({ type: 'readHeads', attempt, except: exceptOf(state), limit, batches: batchLook(state) })
    return {
      ...state,
      attempts: attempt,
      look: { reading: { attempt, limit }, isWanted: false, notBeforeMs: nowMs + rules.lookMs, askedMs: nowMs },
    }
  }
  if (!isIdle(state) || due.isKnown || due.asking !== null || due.notBeforeMs > nowMs) return state
  const attempt = state.attempts + 1
  effects.push({ type: 'readDue', attempt, agoMs: nowMs - (look.askedMs ?? nowMs) })
  return { ...state, attempts: attempt, due: { ...due, asking: attempt, isKnown: true, notBeforeMs: nowMs + DUE_MS } }
}

function isIdle({ gate, hands, look }: SendingState): boolean {
  return hands.size === 0 && (gate !== 'OPEN' || (look.reading === null && !look.isWanted))
}

/** Tells the number whether work is in hand, because it stays in memory as long as some is. */
function tell(state: SendingState, effects: SendingEffect[]): SendingState {
  const { wakes, idleWake, hands, gate } = state
  if (isIdle(state)) {
    if (gate === 'DRAINING') {
      effects.push({ type: 'stop', why: 'drained' })
      return { ...state, gate: 'STOPPED' }
    }
    if (idleWake === wakes) return state
    effects.push({ type: 'report', isBusy: false, wakes })
    return { ...state, idleWake: wakes }
  }
  if (hands.size === 0 || idleWake !== wakes) return state
  effects.push({ type: 'report', isBusy: true, wakes })
  return { ...state, idleWake: null }
}

/** The earliest moment at which something becomes possible that is not now; null when only a message can tell. */
function nextMs(state: SendingState, nowMs: number): number | null {
  const { gate, look, due, hands, rules } = state
  const times: number[] = []
  const use = useOf(state)
  for (const { phase, content, message } of hands.values()) {
    if (phase.at === 'SETTLING' && phase.retryMs !== null) times.push(phase.retryMs)
    if (phase.at !== 'WAITING' || gate !== 'OPEN') continue
    if (phase.untilMs > nowMs) times.push(phase.untilMs)
    // A message that waits for others in flight goes on with their outcomes, so it needs no time here.
    else if (content !== null && use.inFlight < placesFor(message, rules.inFlight))
      times.push(nowMs + paceMs(state, message, nowMs))
  }
  if (gate === 'OPEN') {
    if (look.isWanted && look.reading === null && roomOf(state, nowMs) > 0) times.push(look.notBeforeMs)
    if (due.atMs !== null) times.push(Math.min(due.atMs, nowMs + FAR_MS))
    else if (isIdle(state) && !due.isKnown && due.asking === null) times.push(due.notBeforeMs)
  }
  return times.length > 0 ? Math.min(...times) : null
}

function setTimer(state: SendingState, nowMs: number, effects: SendingEffect[]): SendingState {
  const timerMs = nextMs(state, nowMs)
  // A timer that fires early only looks again, so it is not set anew for that.
  if (
    timerMs === state.timerMs
    || (timerMs !== null && state.timerMs !== null && state.timerMs > nowMs && state.timerMs <= timerMs)
  )
    return state
  effects.push(
    timerMs === null ? { type: 'cancelTimer' } : { type: 'startTimer', delayMs: Math.max(1, timerMs - nowMs) },
  )
  return { ...state, timerMs }
}

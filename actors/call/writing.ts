import { isLive } from '../../src/domain/call.ts'
import type { Call } from '../../src/domain/call.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { end } from './ending.ts'
import { hasOwnLeg, isOfPlatform } from './leg.ts'
import type { AbandonReason, CallMessage, WriteOutcome } from './messages.ts'
import type { CallEffect, CallPhase, CallState, PendingWrite, Reply, Step, WaitingAsk } from './state.ts'
import { askersOf, externalIdOf, liveStatusOf, step } from './state.ts'

/** Starts a write. Everything but its outcome waits in the stash until that comes. */
export function beginWrite(
  state: CallState,
  write: Omit<PendingWrite, 'attempt'>,
  effect: (attempt: number) => CallEffect,
  alongside: readonly CallEffect[] = [],
): Step {
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, write: { ...write, attempt } }, [effect(attempt), ...alongside])
}

export function invalidState(text: string): Refusal {
  return refuse('CALL_INVALID_STATE', text)
}

/** The answer of a command that waited, once the call is in `phase`. */
export function answerTo(ask: WaitingAsk, state: CallState, phase: CallPhase): Outcome<unknown> {
  if (phase.at === 'GONE') return fail(phase.refusal)
  if (phase.at === 'ENDED') {
    if (ask.command === 'Reject' || ask.command === 'Terminate')
      return succeed({ id: state.facts.id, status: phase.status })
    return fail(
      invalidState(ask.command === 'Start' ? 'The call ended before the provider took it' : 'The call is over'),
    )
  }
  const status = liveStatusOf(phase)
  if (ask.command === 'Start') return succeed({ id: state.facts.id, externalCallId: externalIdOf(phase), status })
  return succeed({ id: state.facts.id, status })
}

function answers(asks: readonly WaitingAsk[], state: CallState, phase: CallPhase): Reply[] {
  return asks.map((ask) => ({ askId: ask.askId, outcome: answerTo(ask, state, phase) }))
}

const INTERNAL = refuse('INTERNAL', 'Internal error')

function failures(asks: readonly WaitingAsk[], refusal: Refusal): Reply[] {
  return asks.map(({ askId }) => ({ askId, outcome: fail(refusal) }))
}

/**
 * Everybody who waits for the call in this state, each once. That includes those who wait for a later write, such as
 * the starter of a call.
 */
function allAsks({ phase, write }: CallState): readonly WaitingAsk[] {
  // A write that ends the call has everybody who still waits for it.
  if (write?.next.at === 'ENDED' || write?.next.at === 'GONE') return write.asks
  const asks = [...(write?.asks ?? []), ...(write ? askersOf(write.next) : []), ...askersOf(phase)]
  return [...new Map(asks.map((ask) => [ask.askId, ask])).values()]
}

/** Ends the actor without a final status of its own; nothing more is written. */
export function vanish(state: CallState, refusal: Refusal, isOurs: boolean, effects: readonly CallEffect[]): Step {
  const phase: CallPhase = { at: 'GONE', refusal, isOurs }
  return step({ ...state, phase, write: null }, effects, answers(allAsks(state), state, phase))
}

/** Another node owns the number: the call only ends here, without a write or a settled event ([nodes.placement.5]). */
export function loseOwnership(state: CallState): Step {
  return vanish(state, refuse('NOT_OWNER', 'The number moved to another node; try again', undefined, 1), false, [
    { type: 'cancelTimers' },
    { type: 'mediaLeave' },
    { type: 'stop', isStored: true },
  ])
}

/** Handles the outcome of a write. Outcomes of older attempts are dropped. */
export function stored(state: CallState, message: CallMessage & { type: 'Stored' }, nowMs: number): Step {
  const { write } = state
  if (!write || write.attempt !== message.attempt) return step(state)
  switch (message.outcome.kind) {
    case 'applied':
      return applied(state, write)
    case 'moved':
      return moved(state, write, message.outcome, nowMs)
    case 'fenced':
      return loseOwnership(state)
    case 'failed':
      return failed(state, write, message.outcome, nowMs)
  }
}

function applied(state: CallState, write: PendingWrite): Step {
  const sdpAnswer = write.sdpAnswer ?? state.sdpAnswer
  return step(
    { ...state, phase: write.next, sdpAnswer, write: null },
    write.effects,
    answers(write.asks, state, write.next),
  )
}

/** The row says something else: another process ended the call, and this actor follows. */
function moved(state: CallState, write: PendingWrite, outcome: WriteOutcome & { kind: 'moved' }, nowMs: number): Step {
  const { row } = outcome
  const settles = write.effects.filter((effect) => effect.type === 'settle')
  if (write.kind === 'insert' || write.kind === 'remove' || row === null) {
    const refusal = write.next.at === 'GONE' ? write.next.refusal : refuse('CALL_NOT_FOUND', 'No such call')
    return vanish(state, refusal, true, [
      { type: 'cancelTimers' },
      { type: 'mediaClose', status: 'FAILED' },
      ...settles,
      { type: 'stop', isStored: row !== null || write.kind !== 'move' },
    ])
  }
  if (isLive(row.status))
    return write.kind === 'move'
      ? failed(state, write, { kind: 'failed', refusal: INTERNAL }, nowMs)
      : applied(state, write)
  return follow(state, row, settles)
}

function follow(state: CallState, row: Call, settles: readonly CallEffect[]): Step {
  if (isLive(row.status)) return step(state)
  const phase: CallPhase = { at: 'ENDED', status: row.status }
  const externalCallId = externalIdOf(state.phase)
  const effects: CallEffect[] = [
    { type: 'cancelTimers' },
    ...(externalCallId === null ? [] : [{ type: 'terminate', externalCallId } as const]),
    {
      type: 'mediaClose',
      status: row.status,
      ...(row.durationSeconds === null ? {} : { durationSeconds: row.durationSeconds }),
    },
    ...settles,
    { type: 'stop', isStored: true },
  ]
  return step({ ...state, phase, write: null }, effects, answers(allAsks(state), state, phase))
}

/** The store did not take the write, after all retries. None of it is announced. */
function failed(
  state: CallState,
  write: PendingWrite,
  { refusal, fault = null }: WriteOutcome & { kind: 'failed' },
  nowMs: number,
): Step {
  const idle = { ...state, write: null }
  // Whoever resumes a call without a leg of ours from its row hears its unsettled events again, so the call need not
  // fail.
  const isResumable = !hasOwnLeg(state) && write.kind === 'move'
  // Events of the call are settled all the same: its row is closed later, and an unsettled event would hold back all
  // that follow it.
  const isOurs = !isResumable && write.kind === 'move'
  const told = write.effects.filter((effect) => effect.type === 'settle')
  // An event that failed for a reason of its own would fail again.
  const settles: readonly CallEffect[] = fault
    ? told.map(({ seq }) => ({ type: 'setAside', seq, fault }))
    : isOurs
      ? told
      : []
  const isOver = isResumable || write.next.at === 'ENDED' || write.next.at === 'GONE' || write.kind === 'insert'
  if (isOver) {
    const phase: CallPhase = { at: 'GONE', refusal, isOurs: isOurs || (fault !== null && write.kind === 'insert') }
    return step(
      { ...idle, phase },
      [
        { type: 'cancelTimers' },
        { type: 'mediaClose', status: 'FAILED', reason: 'INTERNAL_ERROR' },
        ...settles,
        { type: 'stop', isStored: false },
      ],
      failures(allAsks(state), refusal),
    )
  }
  if (write.kind === 'playback' || write.kind === 'sdp')
    return step(idle, fault ? settles : [], failures(write.asks, refusal))
  const ending = end(idle, { status: 'FAILED', errorCode: 'INTERNAL_ERROR', failAskersWith: refusal }, nowMs)
  return step(ending.state, [...settles, ...ending.effects], failures(allAsks(state), refusal))
}

/**
 * The number can no longer hold the call. A call of the official platform lives on, unless its leg ends with this
 * node: the actor leaves its row unchanged for the next owner. A call that upstream has not named yet cannot be found
 * again, so it fails.
 */
export function abandon(state: CallState, reason: AbandonReason, nowMs: number): Step {
  if ((hasOwnLeg(state) && !(isOfPlatform(state) && state.outlives)) || externalIdOf(state.phase) === null)
    return end(state, { status: 'FAILED', errorCode: reason }, nowMs)
  return vanish(state, refuse('NOT_OWNER', 'The number is restarting; try again', undefined, 1), false, [
    { type: 'cancelTimers' },
    { type: 'stop', isStored: true },
  ])
}

/** A turn threw: the call ends FAILED, whatever write was in flight. */
export function crash(state: CallState, nowMs: number): Step {
  if (liveStatusOf(state.phase) === null) {
    return vanish(state, INTERNAL, false, [
      { type: 'cancelTimers' },
      { type: 'mediaClose', status: 'FAILED', reason: 'INTERNAL_ERROR' },
      { type: 'stop', isStored: false },
    ])
  }
  const failing = { status: 'FAILED', errorCode: 'INTERNAL_ERROR', failAskersWith: INTERNAL } as const
  const ending = end({ ...state, write: null }, failing, nowMs)
  return step(ending.state, ending.effects, failures(allAsks(state), INTERNAL))
}

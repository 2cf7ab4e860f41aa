import { askUpstream } from './calls/confirm.ts'
import { sweep } from './calls/decide.ts'
import { isInboxIdle } from './changes/decide.ts'
import { isSilent } from './link/opening.ts'
import { pairingLate } from './link/pairing.ts'
import { disconnectedLong } from './link/ups-and-downs.ts'
import type { NumberTimer } from './messages.ts'
import { sendingRested } from './sends/decide.ts'
import type { NumberEffect, NumberState, ReadyNumber, Step } from './state.ts'
import { isStateless, isUnderWay, step, stopWith } from './state.ts'

/** Handles a timer of the number. */
export function timerFired(state: ReadyNumber, timer: NumberTimer, nowMs: number): Step {
  if (timer === 'disconnected') return disconnectedLong(state)
  if (timer === 'listing') return step(state, state.number.state === 'OPEN' ? askUpstream(state) : [])
  if (timer === 'sweep') return sweep(state)
  if (timer === 'idle') return isIdle(state) ? stopWith(state, 'passivated') : step(state)
  if (timer === 'sending') return sendingRested(state)
  return pairingLate(state, Number(timer.slice('pair:'.length)), nowMs)
}

/** Whether the number can leave memory without a loss. */
function isIdle(state: NumberState): boolean {
  if (
    state.at !== 'READY'
    || state.calls.size > 0
    || state.sending.isBusy
    || state.write
    || state.leaving
    || isUnderWay(state)
  )
    return false
  return (state.link.at === 'NONE' || isStateless(state.number)) && !isSilent(state) && isInboxIdle(state)
}

/** Starts the idle timer again after each message. */
export function withIdleTimer(before: NumberState, made: Step): Step {
  if (made.state.at !== 'READY') return made
  const timer: NumberEffect[] = []
  if (isIdle(made.state)) timer.push({ type: 'startTimer', timer: 'idle', delayMs: made.state.times.idleMs })
  else if (isIdle(before)) timer.push({ type: 'cancelTimer', timer: 'idle' })
  return timer.length > 0 ? step(made.state, [...made.effects, ...timer], made.replies) : made
}

import { fail } from '../../src/domain/errors.ts'
import { decideBy } from '../engine/verb-table.ts'
import { isSilent } from './link/opening.ts'
import { loaded } from './loading.ts'
import type { NumberMessage } from './messages.ts'
import { leaveWhenDone, refuseLeft } from './remove.ts'
import { withSending } from './sends/decide.ts'
import type { LoadingNumber, NumberState, Step, StoppedNumber } from './state.ts'
import { step, stopWith } from './state.ts'
import { withIdleTimer } from './timers.ts'
import { VERBS } from './verbs.ts'

/**
 * Decides what a message does to a number. Pure, as in call/decide.ts: while the rows are being loaded or a write is in
 * flight, everything but its outcome waits in order.
 */
export function decide(state: NumberState, message: NumberMessage, nowMs: number): Step {
  let made: Step = mustWait(state, message)
    ? step({ ...state, stash: [...state.stash, message] })
    : handle(state, message, nowMs)
  for (;;) {
    const [first, ...rest] = made.state.stash
    if (!first || isWaiting(made.state)) return withIdleTimer(state, withSending(made))
    const next = handle({ ...made.state, stash: rest }, first, nowMs)
    made = step(next.state, [...made.effects, ...next.effects], [...made.replies, ...next.replies])
  }
}

function isWaiting(state: NumberState): boolean {
  return state.at === 'LOADING' || (state.at === 'READY' && (state.write !== null || isSilent(state)))
}

const PASSES = new Set<NumberMessage['type']>(['Start', 'Loaded', 'Saved', 'Fenced', 'Crashed'])

function mustWait(state: NumberState, message: NumberMessage): boolean {
  const isReport = message.type === 'Session' && state.at === 'READY' && state.write === null
  return isWaiting(state) && !PASSES.has(message.type) && !isReport
}

function handle(state: NumberState, message: NumberMessage, nowMs: number): Step {
  switch (state.at) {
    case 'LOADING':
      return loading(state, message)
    case 'READY': {
      const made = always(state, message) ?? refuseLeft(state, message) ?? decideBy(VERBS, state, message, nowMs)
      if (made.state.at !== 'READY') return made
      const left = leaveWhenDone(made.state)
      return step(left.state, [...made.effects, ...left.effects], [...made.replies, ...left.replies])
    }
    case 'STOPPED':
      return stopped(state, message)
  }
}

/** Handles what ends a number in any state. Its session ends with it; see `stop` in effects.ts. */
function always(state: NumberState, message: NumberMessage): Step | null {
  if (message.type === 'Fenced') return stopWith(state, 'fenced', [{ type: 'endCalls', how: 'fence' }])
  if (message.type === 'Crashed') return stopWith(state, 'crashed', [{ type: 'endCalls', how: 'INTERNAL_ERROR' }])
  return null
}

function loading(state: LoadingNumber, message: NumberMessage): Step {
  if (message.type === 'Start') {
    const attempt = state.attempts + 1
    return step({ ...state, attempts: attempt }, [{ type: 'load', attempt }])
  }
  if (message.type === 'Loaded')
    return message.attempt === state.attempts ? loaded(state, message.outcome) : step(state)
  return always(state, message) ?? step(state)
}

/** Refuses what is asked, also what waited. Whoever asked the device has its answer already. */
function stopped(state: StoppedNumber, message: NumberMessage): Step {
  const isAsked = 'askId' in message && message.type !== 'DeviceAnswered'
  return step(state, [], isAsked ? [{ askId: message.askId, outcome: fail(state.refusal) }] : [])
}

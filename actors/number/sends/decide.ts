import { hasSameLimits, type OfficialLimits } from '../../../src/domain/official.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isConnected, isStateless, step } from '../state.ts'
import type { Sending } from './state.ts'

/** our choice: sending that crashed restarts after 1 s, doubled each time up to 30 s. */
const RESTART_MS = 1_000
const RESTART_MAX_MS = 30_000

export const NO_SENDING: Sending = {
  isOpen: false,
  isWanted: false,
  wakes: 0,
  isBusy: false,
  crashes: 0,
  isResting: false,
}

function put(state: ReadyNumber, patch: Partial<Sending>): ReadyNumber {
  return { ...state, sending: { ...state.sending, ...patch } }
}

/** Wakes the sending actor for queued messages, now or once the session can send. */
export function send(state: ReadyNumber): Step<ReadyNumber> {
  const { isOpen, isResting } = state.sending
  return isOpen && !isResting ? wake(state) : step(put(state, { isWanted: true }))
}

/** Goes on sending by other limits, where they are others. */
export function withLimits(state: ReadyNumber, limits: OfficialLimits): Step<ReadyNumber> {
  const { official } = state.number
  if (!official || hasSameLimits(official, limits)) return step(state)
  const { messagingLimitTier, perSecond = null } = limits
  return send({ ...state, number: { ...state.number, official: { ...official, messagingLimitTier, perSecond } } })
}

function wake(state: ReadyNumber): Step<ReadyNumber> {
  const wakes = state.sending.wakes + 1
  return step(put(state, { wakes, isBusy: true, isWanted: false }), [
    { type: 'wakeSending', number: state.number, wakes },
  ])
}

/** Notes whether sending keeps the number in memory. A report from before the last wake is dropped. */
export function sendingReported(state: ReadyNumber, isBusy: boolean, wakes: number): Step<ReadyNumber> {
  if (wakes !== state.sending.wakes || state.sending.isResting) return step(state)
  return step(put(state, { isBusy, ...(isBusy ? {} : { crashes: 0 }) }))
}

/** The sending actor threw. The number goes on, because the rows have the state of every send. */
export function sendingCrashed(state: ReadyNumber): Step<ReadyNumber> {
  const { crashes } = state.sending
  return step(put(state, { crashes: crashes + 1, isResting: true, isBusy: true }), [
    { type: 'startTimer', timer: 'sending', delayMs: Math.min(RESTART_MAX_MS, RESTART_MS * 2 ** crashes) },
  ])
}

export function sendingRested(state: ReadyNumber): Step<ReadyNumber> {
  const rested = put(state, { isResting: false, isBusy: false, isWanted: true })
  return state.sending.isOpen ? wake(rested) : step(rested)
}

/**
 * Whether the session can send. A session that opened just now may have no link yet, and its tries would count as
 * faults.
 */
function canSend(state: ReadyNumber): boolean {
  return isConnected(state) && state.link.at === 'UP' && state.link.isHeard
}

/** Opens and shuts sending with the session. A session that comes back looks for messages queued meanwhile. */
export function withSending(made: Step): Step {
  const { state } = made
  if (state.at !== 'READY' || canSend(state) === state.sending.isOpen) return made
  const isOpen = !state.sending.isOpen
  const opened = put(state, { isOpen })
  if (!isOpen) return step(opened, [...made.effects, { type: 'shutSending' }], made.replies)
  // A stateless session opens whenever the number is needed, so it looks only when messages were announced.
  const isDue = (state.sending.isWanted || !isStateless(state.number)) && !state.sending.isResting
  const next = isDue ? wake(opened) : step(opened)
  return step(next.state, [...made.effects, ...next.effects], made.replies)
}

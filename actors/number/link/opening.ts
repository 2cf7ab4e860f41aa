import { beginSave } from '../rows/decide.ts'
import type { NumberEffect, ReadyNumber, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import type { Link } from './state.ts'

/**
 * Begins with the pairing of a loaded number: opens its session, or corrects a row that says more than is true without
 * one.
 */
export function beginLink(state: ReadyNumber): Step<ReadyNumber> {
  const { number, times } = state
  if (state.credentials !== null && state.hasDriver) {
    return openLink(
      state,
      [],
      state.isAnnounced && !isStateless(number)
        ? [{ type: 'startTimer', timer: 'disconnected', delayMs: times.disconnectedMs }]
        : [],
    )
  }
  if (number.state === 'CLOSE') return step(state)
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, pairingReason: null },
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false },
  })
}

/**
 * Opens a session and stores CONNECTING, whatever kept the previous one closed. A stateless session reports at once, so
 * its report is awaited instead.
 */
export function openLink(
  state: ReadyNumber,
  waiters: readonly number[],
  alongside: readonly NumberEffect[] = [],
): Step<ReadyNumber> {
  const sessionId = state.attempts + 1
  const { number, credentials } = state
  const link: Link & { at: 'UP' } = {
    at: 'UP',
    sessionId,
    isPairing: credentials === null,
    code: null,
    isAccepted: false,
    waiters,
    typers: [],
    isTypedAsked: false,
    isSilent: isStateless(number),
    isHeard: false,
  }
  const opening: NumberEffect[] = [{ type: 'openSession', sessionId, number, credentials }, ...alongside]
  const linked = { ...state, attempts: sessionId, link }
  if (link.isSilent || (number.state === 'CONNECTING' && number.pairingReason === null)) return step(linked, opening)
  return beginSave(linked, { patch: { state: 'CONNECTING', isFullyConnected: false, pairingReason: null } }, opening)
}

/** Whether a stateless session is open and has not reported yet; everything waits for its first report. */
export function isSilent({ link }: ReadyNumber): boolean {
  return link.at === 'UP' && link.isSilent
}

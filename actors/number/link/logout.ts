import { succeed } from '../../../src/domain/errors.ts'
import { beginSave } from '../rows/decide.ts'
import type { ReadyNumber, Reply, Step } from '../state.ts'
import { step } from '../state.ts'
import { endPatience, refuseWaiters } from './pairing.ts'
import { NO_LINK } from './state.ts'

/**
 * Unlinks the device and wipes the pairing; idempotent ([numbers.life.8]). Calls are hung up first. An engine that
 * cannot be reached does not stop the logout: what is stored here is wiped anyway.
 */
export function logout(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  const { leaving } = state
  // A removal unlinks the device too, and is answered once that is over.
  if (leaving?.why === 'removed') return step({ ...state, leaving: { ...leaving, askIds: [...leaving.askIds, askId] } })
  if (state.link.at === 'NONE') {
    const replies = [{ askId, outcome: succeed(null) }]
    // Other credentials may be in the row, which were not read yet.
    return state.credentials === null && state.reopening === null && state.number.state === 'CLOSE'
      ? step(state, [], replies)
      : forget(state, replies)
  }
  const waiting = { ...state, logouts: [...state.logouts, askId] }
  if (state.logoutAttempt !== null) return step(waiting)
  const attempt = state.attempts + 1
  return step({ ...waiting, attempts: attempt, logoutAttempt: attempt }, [
    { type: 'endCalls', how: 'hangup' },
    { type: 'logout', attempt },
  ])
}

/** The provider answered, or gave up. */
export function loggedOut(state: ReadyNumber, attempt: number): Step<ReadyNumber> {
  if (state.logoutAttempt !== attempt) return step(state)
  if (state.leaving?.why === 'removed')
    return step({ ...state, logoutAttempt: null, leaving: { ...state.leaving, isLinkDone: true } })
  const replies = state.logouts.map((askId) => ({ askId, outcome: succeed(null) }))
  return forget(state, replies)
}

/** Ends the pairing for good, after the provider was asked to unlink the device. */
function forget(state: ReadyNumber, replies: readonly Reply[]): Step<ReadyNumber> {
  const { link } = state
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, pairingReason: null, credentials: null, sessionHealth: null },
    announce: state.isAnnounced ? 'number.disconnected' : null,
    // Credentials that were read before are wiped too.
    next: { isAnnounced: false, link: NO_LINK, credentials: null, reopening: null, logouts: [], logoutAttempt: null },
    effects: [
      { type: 'cancelTimer', timer: 'disconnected' },
      ...endPatience(link.at === 'UP' ? link.waiters : []),
      { type: 'closeSession' },
    ],
    replies: [...refuseWaiters(link, 'DEVICE_NETWORK_TIMEOUT'), ...replies],
  })
}

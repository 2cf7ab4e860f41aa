import type { Call } from '../../src/domain/call.ts'
import { NO_CALLS } from './calls/decide.ts'
import { EMPTY_INBOX, readAgain } from './changes/decide.ts'
import { NO_DEVICE_ASKS } from './devices/decide.ts'
import { beginLink } from './link/opening.ts'
import { NO_LINK } from './link/state.ts'
import type { LoadedNumber, LoadOutcome } from './rows/messages.ts'
import { NO_SENDING } from './sends/decide.ts'
import type { LoadingNumber, ReadyNumber, Step } from './state.ts'
import { isStateless, step, stopWith } from './state.ts'

/** Handles the number's rows, which were read or could not be. */
export function loaded(state: LoadingNumber, outcome: LoadOutcome): Step {
  switch (outcome.kind) {
    case 'loaded':
      return begin(state, outcome.loaded)
    case 'missing':
      return stopWith(state, 'missing')
    case 'fenced':
      return stopWith(state, 'fenced')
    case 'failed':
      return stopWith(state, 'crashed')
  }
}

/**
 * Begins with a loaded number. A paired one opens its session; a row that says more than is true without one is
 * corrected.
 */
function begin({ numberId, times, attempts, stash }: LoadingNumber, loadedNumber: LoadedNumber): Step {
  const { number, credentials, hasDriver, orphans, resumable } = loadedNumber
  const fresh: ReadyNumber = {
    at: 'READY',
    numberId,
    times,
    attempts,
    stash,
    number,
    credentials,
    hasDriver,
    orphans,
    link: NO_LINK,
    // A row that says OPEN was announced. A row that an owner left CONNECTING is announced again, twice at worst (our
    // choice).
    isAnnounced: number.state === 'OPEN',
    ...NO_CALLS,
    ...NO_DEVICE_ASKS,
    logouts: [],
    logoutAttempt: null,
    reopening: null,
    leaving: null,
    inbox: EMPTY_INBOX,
    sending: NO_SENDING,
    write: null,
  }
  const linked = beginLink(fresh)
  const resumed = takeUp(linked.state, resumable)
  return step(resumed.state, [...linked.effects, ...resumed.effects], linked.replies)
}

/**
 * Resumes calls that live on. Then it reads the changes that wait for a stateless number; a session tells its events by
 * itself, and upstream is asked about calls once it is connected.
 */
export function takeUp(state: ReadyNumber, resumable: readonly Call[]): Step<ReadyNumber> {
  const lost = resumable.filter(({ id }) => !state.calls.has(id))
  const calls = new Map([...state.calls, ...lost.map((call) => [call.id, call.externalCallId] as const)])
  const resuming = lost.map((call) => ({ type: 'resumeCall', call }) as const)
  if (!isStateless(state.number)) {
    // The previous owner was about to decline this call, so it rings for nobody.
    const declined =
      state.number.settings.rejectCall === true
        ? lost.filter(({ direction, status }) => direction === 'INBOUND' && status === 'RINGING')
        : []
    const declining = declined.map(
      ({ id: callId }) => ({ type: 'tellCall', callId, message: { type: 'Reject', askId: null } }) as const,
    )
    return step({ ...state, calls, unconfirmed: lost.map(({ id }) => id) }, [...resuming, ...declining])
  }
  const reading = readAgain({ ...state, calls })
  return step(reading.state, [...resuming, ...reading.effects])
}

/** The loss of a call's leg: what it ends, and when. */
import type { MediaEvent } from '../../src/ports/media.ts'
import type { Ending } from './ending.ts'
import { end as endCall, FAILURES } from './ending.ts'
import type { CallEffect, CallState, PreparedAnswer, Step } from './state.ts'
import { step } from './state.ts'

/**
 * The ways in which a leg is lost, by the media host's code, in words for a caller. The other codes tell an operator
 * something, and a caller nothing.
 */
const LOSSES: ReadonlyMap<string, string> = new Map([
  ['HANDSHAKE_REFUSED', 'The peer refused the encrypted connection'],
  ['HANDSHAKE_FAILED', 'The handshake of the encrypted connection with the peer failed'],
  ['HANDSHAKE_TIMEOUT', 'The peer did not finish the encrypted connection within 12 s'],
])

/** How a call ends whose leg is lost. `why` is in words for a caller. */
export function lost(why?: string): Ending {
  return {
    status: 'FAILED',
    errorCode: 'MEDIA_LOST',
    ...(why !== undefined && {
      failure: { code: 'MEDIA_LOST', message: `${FAILURES.MEDIA_LOST}: ${why}`, retryable: false },
    }),
  }
}

/**
 * Handles the loss of the leg. A call without a leg yet goes on: it only loses the sockets that wait for it (our
 * choice).
 *
 * A resumed call waits with the loss until upstream said that it still has the call ([nodes.calls.10]): a peer that
 * hung up while nobody owned the call has lost its leg too, and the news of that may come later than the host's. So
 * does one whose accept is in doubt: the leg is what tells the next owner of that accept.
 */
export function mediaLost(state: CallState, { reason }: MediaEvent & { type: 'lost' }, nowMs: number): Step {
  const { phase } = state
  if (phase.at === 'INCOMING' && state.resuming?.stage !== 'upstream')
    return step(unprepared(state, state.prepared), ringingAnew(phase))
  if (phase.at === 'ACCEPTING' && phase.spared !== null) {
    const { spared } = phase
    return step({ ...unprepared(state, spared.prepared), phase: { ...phase, spared: { ...spared, prepared: null } } })
  }
  // While the offer is being made, its own outcome tells of the loss.
  if (phase.at === 'OPENING') return step(state)
  if (state.awaitsUpstream)
    return step({ ...state, heldLoss: reason }, [{ type: 'startTimer', timer: 'media', delayMs: state.times.mediaMs }])
  return endLost(state, reason, nowMs)
}

/** The answer that was made ahead is of a leg that is gone. */
function unprepared(state: CallState, prepared: PreparedAnswer | null): CallState {
  const { sdpAnswer } = state
  return { ...state, prepared: null, sdpAnswer: prepared?.sdp === sdpAnswer ? null : sdpAnswer }
}

/** The sockets that wait for a call that rings wait at another host, as does the bot of the number. */
export function ringingAnew({ externalCallId }: { readonly externalCallId: string }): CallEffect[] {
  return [{ type: 'mediaAnnounce', externalCallId }, { type: 'readVoice' }]
}

/** Ends a resumed call of which upstream does not say that it is over; null when its leg is not lost. */
export function heldLossTold(state: CallState, nowMs: number): Step | null {
  return state.heldLoss === null ? null : endLost({ ...state, heldLoss: null }, state.heldLoss, nowMs)
}

function endLost(state: CallState, reason: string, nowMs: number): Step {
  return endCall(state, lost(LOSSES.get(reason)), nowMs)
}

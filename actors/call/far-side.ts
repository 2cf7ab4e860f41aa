import type { CallEndReason } from '../../src/domain/device-bridge.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { accept, BY_BOT, faultOf } from './accept.ts'
import { hasOwnLeg, isOfPlatform } from './leg.ts'
import { playbackProgressed } from './play.ts'
import { terminate } from './terminate.ts'
import type { Ending } from './ending.ts'
import { end as endCall } from './ending.ts'
import { heldLossTold, lost, mediaLost } from './leg-loss.ts'
import type { CallMessage, CallTimer } from './messages.ts'
import { saveAnswer } from './sdp.ts'
import type { CallState, Step } from './state.ts'
import { liveStatusOf, step } from './state.ts'
import { voiceTold } from './voice.ts'

type EndingByReason = Readonly<Record<CallEndReason, Pick<Ending, 'status' | 'errorCode'>>>

const FAILED = { status: 'FAILED', errorCode: 'PROVIDER_FAILED' } as const

/**
 * Status of an unanswered outbound call by the provider's reason for its end ([calls.states.5] to [calls.states.8]).
 * our choice: a hang-up before the answer counts as a decline.
 */
const OUTBOUND_UNANSWERED: EndingByReason = {
  declined: { status: 'REJECTED' },
  hangup: { status: 'REJECTED' },
  timeout: { status: 'MISSED' },
  canceled: { status: 'MISSED' },
  failed: FAILED,
}

/** Status of an unanswered inbound call: the caller gave up, or the number's phone declined. */
const INBOUND_UNANSWERED: EndingByReason = {
  declined: { status: 'REJECTED' },
  hangup: { status: 'MISSED' },
  timeout: { status: 'MISSED' },
  canceled: { status: 'MISSED' },
  failed: FAILED,
}

const ANSWERED: EndingByReason = {
  declined: { status: 'COMPLETED' },
  hangup: { status: 'COMPLETED' },
  timeout: { status: 'COMPLETED' },
  canceled: { status: 'COMPLETED' },
  failed: FAILED,
}

/** Handles the provider's report that the call ended. */
export function peerEnded(state: CallState, message: CallMessage & { type: 'ProviderEnded' }, nowMs: number): Step {
  const { seq, reason, end } = message
  const status = liveStatusOf(state.phase)
  if (status === null) return step(state, [{ type: 'settle', seq }])
  const unanswered = state.facts.direction === 'INBOUND' ? INBOUND_UNANSWERED : OUTBOUND_UNANSWERED
  const table = status === 'ACCEPTED' || end?.isAnswered ? ANSWERED : unanswered
  const outcome = end?.failure ? ({ status: 'FAILED', failure: end.failure } as const) : table[reason]
  return endCall(state, { ...outcome, isProviderDone: true, reason, seq, ...(end ? { upstream: end } : {}) }, nowMs)
}

/**
 * Takes the provider's answer SDP of an outbound call, before or after ACCEPTED. The first one is stored, and a leg of
 * ours is given it then; further ones are for that leg alone ([bridged-calls.bridge.10]).
 */
export function peerSdp(state: CallState, message: CallMessage & { type: 'ProviderSdp' }): Step {
  const settle = { type: 'settle', seq: message.seq } as const
  const isWanted =
    state.facts.direction === 'OUTBOUND' && state.sdpAnswer === null && liveStatusOf(state.phase) !== null
  if (!isWanted) return message.sdp === state.sdpAnswer ? step(state, [settle]) : redescribed(state, message)
  if (!hasOwnLeg(state)) return saveAnswer(state, message.sdp, { asks: [], effects: [settle] })
  const attempt = state.attempts + 1
  return saveAnswer({ ...state, attempts: attempt, connecting: attempt }, message.sdp, {
    asks: [],
    effects: [{ type: 'mediaConnect', attempt, sdpAnswer: message.sdp }, settle],
  })
}

/**
 * Takes an inbound call that is announced again. The offer of a call that nobody answered yet is replaced by one that
 * our media host could answer; later it is for a leg of ours alone.
 */
export function peerRepeated(state: CallState, message: CallMessage & { type: 'ProviderRepeated' }): Step {
  const { phase } = state
  if (phase.at !== 'INCOMING' || state.prepared !== null) return redescribed(state, message)
  const isTaken = isOfPlatform(state) && faultOf(message.sdp) === null
  return step(isTaken ? { ...state, phase: { ...phase, sdpOffer: message.sdp } } : state, [
    { type: 'settle', seq: message.seq },
  ])
}

/**
 * Has a leg of ours go on by a further description of the platform, which takes no answer to it. The host knows
 * repetitions.
 */
function redescribed(state: CallState, { seq, sdp }: CallMessage & { type: 'ProviderSdp' | 'ProviderRepeated' }): Step {
  const settle = { type: 'settle', seq } as const
  const hasLeg = isOfPlatform(state) && (hasOwnLeg(state) || state.prepared !== null)
  return step(state, hasLeg && liveStatusOf(state.phase) !== null ? [{ type: 'mediaUpdate', sdp }, settle] : [settle])
}

/** Handles a report of the media host. */
export function mediaReported(state: CallState, event: MediaEvent, nowMs: number): Step {
  const { phase } = state
  switch (event.type) {
    case 'flowing':
      return step({ ...state, isFlowing: true })
    case 'playback':
      return playbackProgressed(state, event, nowMs)
    case 'hangup':
      // The tenant was first, as long as upstream takes its answer.
      return phase.at === 'ACCEPTING' && phase.spared !== null
        ? step(state)
        : terminate(state, null, nowMs, event.reason ?? undefined)
    case 'accept':
      return accept(state, null, BY_BOT)
    // How sessions stand is stored beside the call.
    case 'session':
      return voiceTold(state, event.session, nowMs)
    case 'lost':
      return mediaLost(state, event, nowMs)
  }
}

/** Handles the leg's outcome for the peer's answer. */
export function mediaConnected(
  state: CallState,
  message: CallMessage & { type: 'MediaConnected' },
  nowMs: number,
): Step {
  if (state.connecting !== message.attempt || liveStatusOf(state.phase) === null) return step(state)
  if (message.outcome.ok) return step({ ...state, connecting: null })
  const { code, message: why } = message.outcome.error
  // What is wrong with the answer helps only whoever wrote the engine.
  return endCall(state, lost(code === 'INVALID_SDP' ? why : undefined), nowMs)
}

/** Handles a timer. A timer of an earlier phase does nothing. */
export function timerFired(state: CallState, timer: CallTimer, nowMs: number): Step {
  const { phase } = state
  if (timer === 'unringing' && phase.at === 'INITIATED') {
    return endCall(state, { status: 'FAILED', errorCode: 'NO_RINGING' }, nowMs)
  }
  // In INITIATED this timer runs only where upstream times the ringing itself, in case the end never comes.
  if (timer === 'ring' && (phase.at === 'INITIATED' || phase.at === 'RINGING' || phase.at === 'INCOMING')) {
    return endCall(state, { status: 'MISSED', reason: 'timeout' }, nowMs)
  }
  const loss = timer === 'media' ? heldLossTold(state, nowMs) : null
  if (loss) return loss
  if (timer === 'media' && phase.at === 'ACCEPTED' && !state.isFlowing) {
    const errorCode = state.media === 'bridge' ? 'MEDIA_LOST' : 'MEDIA_TIMEOUT'
    return endCall(state, { status: 'FAILED', errorCode }, nowMs)
  }
  // The end got lost or never came. Upstream is asked to end the call too, in case it goes on there.
  if (timer === 'silence' && phase.at === 'ACCEPTED')
    return endCall(state, { status: 'FAILED', errorCode: 'PROVIDER_FAILED' }, nowMs)
  return step(state)
}

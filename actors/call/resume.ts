import type { Call } from '../../src/domain/call.ts'
import type { CallMessage } from './messages.ts'
import type { CallFacts, CallPhase, CallState, CallTimes, Step } from './state.ts'
import { step } from './state.ts'

/** The facts of a call as its row has them. */
export function factsOfRow(call: Call): CallFacts {
  const { id, tenantId, numberId, provider, direction, peerNumber, fromNumber, conversationId, bizOpaqueCallbackData, createdAt } = call
  return { id, tenantId, numberId, provider, direction, peerNumber, fromNumber, conversationId, bizOpaqueCallbackData, startedAt: call.startedAt ?? createdAt, createdAt }
}

function phaseOf(call: Call): CallPhase | null {
  const { externalCallId } = call
  if (externalCallId === null) return null
  switch (call.status) {
    case 'INITIATED':
      return { at: 'INITIATED', externalCallId }
    case 'RINGING':
      return call.direction === 'OUTBOUND' ? { at: 'RINGING', externalCallId } : { at: 'INCOMING', externalCallId, sdpOffer: call.sdpOffer ?? '' }
    case 'ACCEPTED':
      return { at: 'ACCEPTED', externalCallId, connectedAt: call.connectedAt ?? call.createdAt, connectAttempt: null }
    default:
      return null
  }
}

/** What is left of the silence that an answered call may keep. What waited upstream comes first: it may be its end. */
function silenceLeftMs({ ringMs, silenceMs }: CallTimes, connectedAt: Date, nowMs: number): number {
  return Math.min(silenceMs, Math.max(ringMs, silenceMs - (nowMs - connectedAt.getTime())))
}

/** Goes on with a call from its row, nothing written, nothing announced. One that cannot be followed leaves it to a sweep. */
export function resume(state: CallState, { call }: CallMessage & { type: 'Resume' }, nowMs: number): Step {
  const phase = phaseOf(call)
  if (phase === null || state.phase.at !== 'NEW') return step(state, [{ type: 'stop', isStored: false }])
  // What waited upstream while nobody listened comes first, so the patience begins anew.
  return step({ ...state, phase, sdpAnswer: call.sdpAnswer }, [phase.at === 'ACCEPTED'
    ? { type: 'startTimer', timer: 'silence', delayMs: silenceLeftMs(state.times, phase.connectedAt, nowMs) }
    : { type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs }])
}

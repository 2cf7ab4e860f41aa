import type { CallMessage } from './messages.ts'
import type { CallState, PendingWrite, Step } from './state.ts'
import { liveStatusOf, step } from './state.ts'
import { beginWrite } from './writing.ts'

/** Stores the answer SDP of a call without moving it. */
export function saveAnswer(state: CallState, sdp: string, after: Pick<PendingWrite, 'asks' | 'effects'>): Step {
  const status = liveStatusOf(state.phase)
  if (status === null) return step(state)
  return beginWrite(
    state,
    { kind: 'sdp', next: state.phase, sdpAnswer: sdp, ...after },
    (attempt) => ({ type: 'move', attempt, move: { callId: state.facts.id, from: [status], to: status, patch: { sdpAnswer: sdp }, events: [] } }),
  )
}

/** The provider's answer of an outbound call, before or after ACCEPTED. The first one is the answer; a repetition says nothing. */
export function peerSdp(state: CallState, message: CallMessage & { type: 'ProviderSdp' }): Step {
  const settle = { type: 'settle', seq: message.seq } as const
  const isWanted = state.facts.direction === 'OUTBOUND' && state.sdpAnswer === null && liveStatusOf(state.phase) !== null
  return isWanted ? saveAnswer(state, message.sdp, { asks: [], effects: [settle] }) : step(state, [settle])
}

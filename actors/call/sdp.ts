import type { CallPatch } from '../../src/ports/stores/call-store.ts'
import type { CallState, PendingWrite, Step } from './state.ts'
import { liveStatusOf, step } from './state.ts'
import { beginWrite } from './writing.ts'

/** Stores the answer SDP of a call without a change of its status. */
export function saveAnswer(
  state: CallState,
  sdp: string,
  after: Pick<PendingWrite, 'asks' | 'effects'>,
  beside: CallPatch = {},
): Step {
  const status = liveStatusOf(state.phase)
  if (status === null) return step(state)
  return beginWrite(state, { kind: 'sdp', next: state.phase, sdpAnswer: sdp, ...after }, (attempt) => ({
    type: 'move',
    attempt,
    move: { callId: state.facts.id, from: [status], to: status, patch: { ...beside, sdpAnswer: sdp }, events: [] },
  }))
}

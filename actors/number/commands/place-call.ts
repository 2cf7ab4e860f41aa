import { fail, refuse } from '../../../src/domain/errors.ts'
import type { AskedNumberCommand } from '../messages.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isConnected, isStateless, step } from '../state.ts'

/** Starts a call actor, which answers the ask once the provider took the call. */
export function placeCall(state: ReadyNumber, command: AskedNumberCommand & { type: 'PlaceCall' }): Step<ReadyNumber> {
  const { askId, callId, to, bizOpaqueCallbackData, sdp } = command
  if (!isConnected(state)) {
    return step(state, [], [{ askId, outcome: fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')) }])
  }
  if (isStateless(state.number) && !sdp) return step(state, [], [{ askId, outcome: fail(refuse('INVALID_SDP', 'Send the SDP offer of the call')) }])
  return step(
    { ...state, calls: new Map(state.calls).set(callId, null) },
    [{ type: 'placeCall', askId, callId, number: state.number, to, bizOpaqueCallbackData, sdp }],
  )
}

import { fail, refuse } from '../../../src/domain/errors.ts'
import type { AskedNumberCommand } from '../messages.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'

/** Starts a call actor, which answers the ask once the provider took the call. */
export function placeCall(state: ReadyNumber, command: AskedNumberCommand & { type: 'PlaceCall' }): Step<ReadyNumber> {
  const { askId, callId, to, bizOpaqueCallbackData } = command
  if (state.number.state !== 'OPEN' || state.link.at === 'NONE' || state.leaving || state.logouts.length > 0) {
    return step(state, [], [{ askId, outcome: fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')) }])
  }
  return step(
    { ...state, calls: new Map(state.calls).set(callId, null) },
    [{ type: 'placeCall', askId, callId, number: state.number, to, bizOpaqueCallbackData }],
  )
}

import { fail, refuse } from '../../src/domain/errors.ts'
import { isOfPlatform } from './leg.ts'
import type { AskedCallCommand, CallMessage } from './messages.ts'
import { saveAnswer } from './sdp.ts'
import type { CallState, Step } from './state.ts'
import { externalIdOf, liveStatusOf, step } from './state.ts'
import { answerTo, invalidState } from './writing.ts'

/** Hands the tenant's answer to the provider while the call still rings. Only OFFICIAL calls have this step. */
export function preAccept(state: CallState, command: AskedCallCommand & { type: 'PreAccept' }): Step {
  const { askId, sdp } = command
  const { phase } = state
  if (!isOfPlatform(state)) {
    return step(
      state,
      [],
      [
        {
          askId,
          outcome: fail(
            refuse(
              'FEATURE_NOT_SUPPORTED',
              'The service itself answers this call with SDP: accept it, there is nothing to pre-accept',
            ),
          ),
        },
      ],
    )
  }
  if (phase.at !== 'INCOMING') {
    return step(state, [], [{ askId, outcome: fail(invalidState('Only an inbound ringing call can be pre-accepted')) }])
  }
  return step(state, [{ type: 'preAccept', askId, externalCallId: phase.externalCallId, sdp }])
}

/** The provider has the leg: its SDP is stored before the tenant hears of it. An accept may have come meanwhile. */
export function preAccepted(
  state: CallState,
  message: CallMessage & { type: 'PreAccepted' } & { readonly askId: number },
): Step {
  const { askId, sdp, outcome } = message
  if (!outcome.ok) return step(state, [], [{ askId, outcome: fail(outcome.error) }])
  const ask = { askId, command: 'PreAccept' } as const
  if (liveStatusOf(state.phase) !== 'RINGING' || externalIdOf(state.phase) === null) {
    return step(state, [], [{ askId, outcome: answerTo(ask, state, state.phase) }])
  }
  return saveAnswer(state, sdp, { asks: [ask], effects: [] })
}

import { fail } from '../../src/domain/errors.ts'
import { end } from './ending.ts'
import type { CallState, Step } from './state.ts'
import { step } from './state.ts'
import { invalidState } from './writing.ts'

/**
 * Declines a call that was not answered ([calls.states.5]: declined, by either side). our choice: rejecting an answered
 * call is CALL_INVALID_STATE, because terminate ends those.
 */
export function reject(state: CallState, askId: number | null, nowMs: number): Step {
  if (state.phase.at === 'ACCEPTED') {
    return step(
      state,
      [],
      askId === null ? [] : [{ askId, outcome: fail(invalidState('The call is answered; terminate it')) }],
    )
  }
  return end(
    state,
    {
      status: 'REJECTED',
      ...(askId === null ? {} : { ask: { askId, command: 'Reject' } }),
    },
    nowMs,
  )
}

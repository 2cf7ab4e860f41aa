import type { FinalStatus } from '../../src/domain/call.ts'
import { end } from './ending.ts'
import type { CallPhase, CallState, Step } from './state.ts'
import { step } from './state.ts'

/**
 * The status after a hang-up depends on who hangs up ([calls.states.5] to [calls.states.7]). We are the caller of an
 * outbound call and the callee of an inbound one.
 */
function statusAfter(phase: CallPhase): FinalStatus | null {
  switch (phase.at) {
    case 'OPENING':
    case 'OFFERING':
    case 'INITIATED':
    case 'RINGING':
      return 'MISSED'
    case 'INCOMING':
    case 'ACCEPTING':
      return 'REJECTED'
    case 'ACCEPTED':
      return 'COMPLETED'
    case 'NEW':
    case 'ENDED':
    case 'GONE':
      return null
  }
}

/** Hangs up. `askId` is null when a realtime socket or the number asks. */
export function terminate(state: CallState, askId: number | null, nowMs: number, reason?: string): Step {
  const status = statusAfter(state.phase)
  if (status === null) return step(state)
  return end(
    state,
    {
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(askId === null ? {} : { ask: { askId, command: 'Terminate' } }),
    },
    nowMs,
  )
}

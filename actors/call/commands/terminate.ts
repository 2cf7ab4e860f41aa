import type { Ending } from '../ending.ts'
import { end } from '../ending.ts'
import type { CallPhase, CallState, Step } from '../state.ts'
import { step } from '../state.ts'

/** Who hangs up decides the status (contract 6): we are the caller of an outbound call, the callee of an inbound one. */
function endingOf(phase: CallPhase): Pick<Ending, 'status' | 'provider'> | null {
  switch (phase.at) {
    case 'OPENING':
    case 'OFFERING':
    case 'INITIATED':
    case 'RINGING':
      return { status: 'MISSED', provider: 'terminate' }
    case 'INCOMING':
      return { status: 'REJECTED', provider: 'reject' }
    case 'ACCEPTING':
      // The provider may have taken the accept already: then only a hang-up ends it.
      return { status: 'REJECTED', provider: phase.stage === 'provider' ? 'terminate' : 'reject' }
    case 'ACCEPTED':
      return { status: 'COMPLETED', provider: 'terminate' }
    case 'NEW':
    case 'ENDED':
    case 'GONE':
      return null
  }
}

/** Hangs up. `askId` is null when a realtime socket or the number asks. */
export function terminate(state: CallState, askId: number | null, nowMs: number, reason?: string): Step {
  const ending = endingOf(state.phase)
  if (!ending) return step(state)
  return end(state, {
    ...ending,
    ...(reason === undefined ? {} : { reason }),
    ...(askId === null ? {} : { ask: { askId, command: 'Terminate' } }),
  }, nowMs)
}

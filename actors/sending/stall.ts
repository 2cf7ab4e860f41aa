import { waitFor } from './outcomes.ts'
import type { SendingState } from './state.ts'

/**
 * Our choice: a timer this many ms late means that the process did not run. Garbage collection and a busy core stay
 * below it.
 */
const STALL_MS = 2_000

/**
 * After a stall of the process, messages that wait for a status wait the whole time again: no gateway was there to hear
 * it, and upstream repeats it at its own pace. Otherwise a gateway that was paused would first send again what arrived
 * long ago.
 */
export function afterStall(state: SendingState, nowMs: number): SendingState {
  const {
    rules: { isDeduplicated, reconcileMs },
    timerMs,
  } = state
  if (isDeduplicated || timerMs === null || nowMs - timerMs < STALL_MS) return state
  let patient = state
  for (const hand of state.hands.values()) {
    // A message whose wait was over before the stall only waits for its turn.
    if (hand.phase.at === 'WAITING' && hand.doubts > 0 && hand.phase.untilMs >= timerMs)
      patient = waitFor(patient, hand, nowMs + reconcileMs)
  }
  return patient
}

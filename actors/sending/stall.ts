import { waitFor } from './outcomes.ts'
import type { SendingState } from './state.ts'

/**
 * Our choice: a timer that is so late was not in a queue, its process did not run. Garbage collection and a busy core
 * stay below it.
 */
const STALL_MS = 2_000

/**
 * After a time in which the process did not run, what waits for a status waits anew: nobody was there to be told, and
 * upstream comes back to that at its own pace. Without this a paused gateway would send again, as the first thing it
 * does, what arrived long ago.
 */
export function afterStall(state: SendingState, nowMs: number): SendingState {
  const {
    rules: { isDeduplicated, reconcileMs },
    timerMs,
  } = state
  if (isDeduplicated || timerMs === null || nowMs - timerMs < STALL_MS) return state
  let patient = state
  for (const hand of state.hands.values()) {
    // One whose wait was over before waits for its turn alone.
    if (hand.phase.at === 'WAITING' && hand.doubts > 0 && hand.phase.untilMs >= timerMs)
      patient = waitFor(patient, hand, nowMs + reconcileMs)
  }
  return patient
}

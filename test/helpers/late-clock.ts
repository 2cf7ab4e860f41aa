import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'

/** Waits shorter than this are steps of a test; longer ones give up on something. */
const GIVES_UP_MS = 2_000
const PATIENCE = 30

/** The real clock with longer timeouts, so that a busy machine is not taken for a failure. */
export const lateClock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (delayMs, fire) => systemClock.after(delayMs < GIVES_UP_MS ? delayMs : delayMs * PATIENCE, fire),
}

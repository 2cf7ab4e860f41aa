import type { Clock } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'

/** Waits as short as these are steps of a test; what is longer gives somebody up. */
const GIVES_UP_MS = 2_000
const PATIENCE = 30

/** The real time, by which nobody is given up on a machine with too much to do. */
export const lateClock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (delayMs, fire) => systemClock.after(delayMs < GIVES_UP_MS ? delayMs : delayMs * PATIENCE, fire),
}

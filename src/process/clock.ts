import type { Clock } from '../ports/clock.ts'

/** The real clock of this process. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

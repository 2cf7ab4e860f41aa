import { STALL_MS } from '../domain/limits.ts'
import type { Clock } from '../ports/clock.ts'

/** our choice: after a stall, a late timer first gives the process this many ms to read what has come in meanwhile. */
export const READ_MS = 50

/**
 * The real clock of this process. A timer that fires late, because the process did not run, first lets sockets be read.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    const dueMs = performance.now() + delayMs
    let timer = setTimeout(() => {
      if (performance.now() - dueMs < STALL_MS) return fire()
      timer = setTimeout(fire, READ_MS)
      timer.unref()
    }, delayMs)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

/** A clock whose timers take `times` as long, for waits on a machine that is overloaded. */
export function patientClock(clock: Clock, times: number): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, fire) => clock.after(delayMs * times, fire),
  }
}

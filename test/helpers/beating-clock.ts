import type { Clock, Timer } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'

const BEATS = 40

/**
 * The system clock, with timers that run in 40 beats. At each beat the process gets to read its sockets, so a message
 * that a thread sends to itself arrives within some beats, however long the machine pauses the process in one of them.
 * A test can therefore wait out a silence in a short time.
 */
export const beatingClock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  after(delayMs, fire) {
    let left = BEATS
    let timer: Timer
    const beat = (): void => {
      if (left-- > 0) timer = systemClock.after(delayMs / BEATS, beat)
      else fire()
    }
    beat()
    return { cancel: () => timer.cancel() }
  },
}

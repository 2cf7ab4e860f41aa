import type { Clock, Timer } from '../../src/ports/clock.ts'
import { systemClock } from '../../src/process/clock.ts'

const BEATS = 40

/**
 * The clock of this process, whose timers wait in beats, at each of which the process runs and reads its sockets: what
 * one thread tells itself over a socket comes within some beats, however long the machine lets it stand still in one of
 * them. So a silence can be waited out shortly.
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

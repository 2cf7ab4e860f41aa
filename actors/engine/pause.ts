import type { Clock } from '../../src/ports/clock.ts'

/** Resolves after `delayMs` by this clock. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve))
}

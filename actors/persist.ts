import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'

/** our choice: a write is tried four times within about 1.3 s, inside the patience of an ask, then given up. */
export const RETRY_DELAYS_MS: readonly number[] = [50, 250, 1_000]
/** our choice: a number waits about 9 s for its store before it gives up its session and its calls; its lease lasts 15 s. */
export const PATIENT_DELAYS_MS: readonly number[] = [50, 250, 1_000, 2_000, 3_000, 3_000]

/** What is needed to try again. */
export interface Persistence {
  readonly clock: Clock
  readonly log: Log
}

/** Runs a store operation, again with growing pauses while it throws; null when it never succeeded. */
export async function persist<T>(
  { clock, log }: Persistence, operation: string, run: () => Promise<T>, delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<{ value: T } | null> {
  for (const delayMs of [...delaysMs, null]) {
    try {
      return { value: await run() }
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown'
      log.warn({ operation, errorName: name, isLast: delayMs === null }, 'store failed')
      if (delayMs !== null) await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
    }
  }
  return null
}

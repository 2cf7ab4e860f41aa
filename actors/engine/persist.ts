import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { failureCode, isOwnFault, type Fault } from '../../src/domain/set-aside.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import { pause } from './pause.ts'

/** our choice: a write is tried four times within about 1.3 s, less than the patience of an ask, and then given up. */
const RETRY_DELAYS_MS: readonly number[] = [50, 250, 1_000]
/**
 * our choice: a number waits about 9 s for its store before it gives up its session and its calls, unless its lease
 * ends sooner.
 */
export const PATIENT_DELAYS_MS: readonly number[] = [50, 250, 1_000, 2_000, 3_000, 3_000]

/** The ports that retries need. */
export interface Persistence {
  readonly clock: Clock
  readonly log: Log
  /** Called when a write was refused because another node owns the number, to count it. */
  readonly fenced?: () => void
}

/**
 * The result of an operation with its retries. `fault` is the operation's own reason to fail; null when the database or
 * its disk is away or at fault.
 */
export type Tried<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault | null; readonly refusal: Refusal }

/** A thrown error as a fault. */
export function faultOf(error: unknown, tries: number): Fault {
  return { reason: failureCode(error), tries }
}

/**
 * Runs a store operation, with growing pauses while it throws, at least twice. The pauses together are the time it has:
 * tries that hang use it up. Refusals: UNAVAILABLE (the database is away), INTERNAL.
 */
export async function tried<T>(
  { clock, log, fenced }: Persistence,
  operation: string,
  run: () => Promise<T>,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<Tried<T>> {
  const untilMs = clock.monotonicMs() + delaysMs.reduce((sum, delayMs) => sum + delayMs, 0)
  for (let tries = 1; ; tries++) {
    try {
      const value = await run()
      if (value === 'fenced') fenced?.()
      return { ok: true, value }
    } catch (error) {
      const delayMs = delaysMs[tries - 1]
      const isLast = delayMs === undefined || (tries > 1 && clock.monotonicMs() + delayMs / 2 > untilMs)
      // A database that is away is logged once, by whoever notices first.
      if (!(error instanceof StoreAway))
        log.warn(
          { operation, errorName: error instanceof Error ? error.name : 'unknown', isLast },
          'a store operation failed; it is tried again unless isLast is true',
        )
      if (isLast) {
        return error instanceof StoreAway
          ? { ok: false, fault: null, refusal: error.refusal }
          : {
              ok: false,
              fault: isOwnFault(error) ? faultOf(error, tries) : null,
              refusal: refuse('INTERNAL', 'Internal error'),
            }
      }
      await pause(clock, delayMs)
    }
  }
}

/** Runs a store operation as `tried` does, without the reason of a failure. */
export async function persisted<T>(
  persistence: Persistence,
  operation: string,
  run: () => Promise<T>,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<Outcome<T>> {
  const result = await tried(persistence, operation, run, delaysMs)
  return result.ok ? succeed(result.value) : fail(result.refusal)
}

/** Runs a store operation as `tried` does; null when it never succeeded. */
export async function persist<T>(
  persistence: Persistence,
  operation: string,
  run: () => Promise<T>,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<{ value: T } | null> {
  const outcome = await persisted(persistence, operation, run, delaysMs)
  return outcome.ok ? { value: outcome.value } : null
}

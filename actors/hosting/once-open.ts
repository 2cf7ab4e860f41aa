import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { NUMBER_DISCONNECTED_MS } from '../../src/domain/limits.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import { pause } from '../engine/pause.ts'

/**
 * our choice: a session opens within tenths of a second, so an ask waits at most this many ms after its number came to
 * this node.
 */
const OPENING_MS = 5_000
const OPENING_PAUSE_MS = 50

const OPENING = refuse('BUSY', 'The number was just taken over and its session opens; try again', undefined, 1)

export interface OpeningDeps {
  readonly clock: Clock
  readonly numbers: Pick<NumberStore, 'load'>
  readonly hosting: { heldSinceMs(numberId: NumberId): number | null }
  /** Monotonic ms by which the ask is answered. */
  readonly endsMs: number
}

/**
 * Asks a number that just came here from another node once its session is open. To the asker the number is connected,
 * although its session is not open here yet, and an earlier ask did nothing. A session that opens slowly is BUSY. One
 * that has not opened when the number counts as disconnected ([numbers.events.2]) is not connected. Null when the
 * number left meanwhile.
 */
export async function askOnceOpen<T extends Outcome<unknown> | null>(
  { clock, numbers, hosting, endsMs }: OpeningDeps,
  numberId: NumberId,
  ask: () => Promise<T>,
): Promise<T | Outcome<never> | null> {
  for (;;) {
    const outcome = await ask()
    if (outcome === null || outcome.ok || outcome.error.code !== 'CHANNEL_INSTANCE_NOT_CONNECTED') return outcome
    const sinceMs = hosting.heldSinceMs(numberId)
    // The session closed because the number left; it opens at the next owner.
    if (sinceMs === null) return null
    const heldMs = clock.monotonicMs() - sinceMs
    if (heldMs > NUMBER_DISCONNECTED_MS) return outcome
    // Rows that cannot be read say nothing of the session.
    const number = await numbers.load(numberId).catch(() => 'unreadable' as const)
    if (number !== 'unreadable' && (!number?.isPaired || number.state === 'CLOSE')) return outcome
    if (heldMs > OPENING_MS || clock.monotonicMs() >= endsMs) return fail(OPENING)
    await pause(clock, OPENING_PAUSE_MS)
  }
}

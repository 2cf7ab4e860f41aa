import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Our choice: bounds how long a node that did not hear of a change knows what was before, where nothing else is said.
 */
const REMEMBERED_MS = 5_000
/** Our choice: enough for what of a node's is active. */
const MOST = 10_000

/** What is looked up many times in a row, remembered for a moment, each for `ms`. */
export function createRemembered<V extends NonNullable<unknown>>(
  clock: Pick<Clock, 'monotonicMs'>,
  ms: number = REMEMBERED_MS,
): BoundedMemory<V> {
  return new BoundedMemory<V>({ most: MOST }, { ms, clock })
}

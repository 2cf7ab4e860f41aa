import { BoundedMemory } from './bounded-memory.ts'
import type { Lifetime } from './bounded-memory.ts'

/**
 * Our choice: bounds how long a node that did not hear of a change knows what was before, where nothing else is said.
 */
const REMEMBERED_MS = 5_000
/** Our choice: enough for what of a node's is active. */
const MOST = 10_000

/** What is looked up many times in a row, remembered for a moment, each for `ms`. */
export function createRemembered<V extends NonNullable<unknown>>(
  clock: Lifetime['clock'],
  ms: number = REMEMBERED_MS,
): BoundedMemory<V> {
  return new BoundedMemory<V>({ most: MOST }, { ms, clock })
}

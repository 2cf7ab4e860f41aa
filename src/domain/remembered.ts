import { BoundedMemory } from './bounded-memory.ts'
import type { Lifetime } from './bounded-memory.ts'

/** Our choice: how long a node that missed a change may go on with the old value, where the caller names no time. */
const REMEMBERED_MS = 5_000
/** Our choice: enough for all that is active on a node. */
const MOST = 10_000

/** Makes a memory for values that are looked up many times in a row; each is kept for `ms`. */
export function createRemembered<V extends NonNullable<unknown>>(
  clock: Lifetime['clock'],
  ms: number = REMEMBERED_MS,
): BoundedMemory<V> {
  return new BoundedMemory<V>({ most: MOST }, { ms, clock })
}

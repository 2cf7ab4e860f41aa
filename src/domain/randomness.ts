import { randomBytes } from 'node:crypto'

/** Where ids, tokens and jitter come from. */
export interface Randomness {
  /** Bytes that nobody can foresee. */
  bytes(count: number): Buffer<ArrayBuffer>
  /** A number from 0 to 1, without 1, where nothing has to be secret. */
  fraction(): number
  /** The wall clock, in ms, as ids hold it. */
  nowMs(): number
}

let current: Randomness = { bytes: randomBytes, fraction: Math.random, nowMs: Date.now }

/** The source of this process. */
export function randomness(): Randomness {
  return current
}

/** Gives a number from 0 to 1, without 1, where nothing has to be secret. */
export function chance(): number {
  return current.fraction()
}

/**
 * Replaces the source of this process, so that a simulation can be repeated; gives the one of before. Nothing in
 * service may call it, because what it makes could be foreseen.
 */
export function replaceRandomness(next: Randomness): Randomness {
  const before = current
  current = next
  return before
}

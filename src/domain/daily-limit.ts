/** How many people an account of the official platform may begin conversations with in a day. Pure. */

const TIER = /^TIER_(\d+)(K?)$/

/**
 * Reads a tier as upstream names it, such as TIER_250 or TIER_2K: how many people outside their window the numbers of
 * an account reach within 24 h. Null for TIER_UNLIMITED, and for what names no limit (UNTIERED, unknown words, null).
 */
export function peopleOfTier(tier: string | null): number | null {
  const [, count, thousands] = TIER.exec(tier ?? '') ?? []
  return count === undefined ? null : Number(count) * (thousands === 'K' ? 1_000 : 1)
}

/**
 * Our choice: how long a person counts, in ms. Upstream counts 24 h from when it took the message, which is a little
 * later than when its place was taken here.
 */
export const COUNTED_MS = 24 * 3_600_000 + 60_000

/**
 * Our choice: a window that ends within so many ms counts as closed, because upstream may look at it after the message
 * travelled.
 */
export const WINDOW_MARGIN_MS = 60_000

/** Our choice: a message that the limit holds waits at least 5 minutes, and is looked at again within the hour. */
const HELD_LEAST_MS = 5 * 60_000
const HELD_MOST_MS = 3_600_000

/** The ms that a message is held which finds the limit full until `untilMs`, both in ms since the epoch. */
export function heldMs(untilMs: number, nowMs: number): number {
  return Math.min(HELD_MOST_MS, Math.max(HELD_LEAST_MS, untilMs - nowMs))
}

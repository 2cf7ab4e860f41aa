import type { RateDecision } from '../ports/rate-limiter.ts'

/** A bucket refills evenly over a minute ([rest.rate-limits.1]). */
const WINDOW_MS = 60_000
/** Keeps rounding of fractions of a millisecond from costing a token. */
const EPSILON_MS = 1e-6

/** The ms after which this many tokens are back; a minute at most. */
export function tokensMs(perMinute: number, tokens = 1): number {
  return WINDOW_MS * Math.min(1, tokens / perMinute)
}

/**
 * Judges a bucket by its debt (GCRA): the ms until it is full again, before tokens are taken. They fit
 * while the debt with them stays within the minute.
 */
export function canTake(debtMs: number, perMinute: number, tokens = 1): boolean {
  return debtMs + tokensMs(perMinute, tokens) <= WINDOW_MS + EPSILON_MS
}

/** The answer for a request of `tokens`, from a bucket whose debt is now `debtMs`. */
export function decide(isAllowed: boolean, debtMs: number, perMinute: number, tokens = 1): RateDecision {
  const waitMs = debtMs + tokensMs(perMinute, tokens) - WINDOW_MS
  return {
    isAllowed,
    limit: perMinute,
    remaining: Math.max(0, Math.floor((WINDOW_MS - debtMs + EPSILON_MS) / tokensMs(perMinute))),
    resetSeconds: Math.max(0, Math.ceil((debtMs - EPSILON_MS) / 1000)),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil((waitMs - EPSILON_MS) / 1000)),
  }
}

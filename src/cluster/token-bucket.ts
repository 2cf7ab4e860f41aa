import type { RateDecision } from '../ports/rate-limiter.ts'

/** A bucket refills evenly over a minute (contract 2). */
const WINDOW_MS = 60_000
/** Keeps rounding of fractions of a millisecond from costing a token. */
const EPSILON_MS = 1e-6

/** ms one token takes to come back. */
export function tokenMs(perMinute: number): number {
  return WINDOW_MS / perMinute
}

/**
 * Judges a bucket by its debt (GCRA): the ms until it is full again, before a token is taken. One
 * more token fits while the debt with it stays within the minute.
 */
export function canTake(debtMs: number, perMinute: number): boolean {
  return debtMs + tokenMs(perMinute) <= WINDOW_MS + EPSILON_MS
}

/** What is answered of a bucket whose debt, after what happened, is `debtMs`. */
export function decide(isAllowed: boolean, debtMs: number, perMinute: number): RateDecision {
  const waitMs = debtMs + tokenMs(perMinute) - WINDOW_MS
  return {
    isAllowed,
    limit: perMinute,
    remaining: Math.max(0, Math.floor((WINDOW_MS - debtMs + EPSILON_MS) / tokenMs(perMinute))),
    resetSeconds: Math.max(0, Math.ceil((debtMs - EPSILON_MS) / 1000)),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil((waitMs - EPSILON_MS) / 1000)),
  }
}

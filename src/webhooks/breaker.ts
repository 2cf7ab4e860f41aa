/** The numbers of an endpoint's breaker. */
export interface BreakerRules {
  /** The breaker opens after this many failures in a row. */
  readonly failures: number
  /** The first pause, in ms; each failed probe doubles it. */
  readonly pauseMs: number
  readonly pauseMaxMs: number
}

/**
 * Our choice: ten failures in a row are no accident (30 % of random failures do that once in 170,000), the first pause
 * hardly delays a receiver that restarts, and one probe a minute costs a dead one's neighbours nothing.
 */
export const DEFAULT_BREAKER: BreakerRules = { failures: 10, pauseMs: 1_000, pauseMaxMs: 60_000 }

/**
 * The state that a node keeps of an endpoint. While it is open, deliveries wait in the queue and no try is spent on it.
 */
export type Breaker =
  | { readonly state: 'closed'; readonly failures: number }
  /** Nothing goes out until `untilMs` (monotonic); then one probe does. */
  | { readonly state: 'open'; readonly untilMs: number; readonly pauseMs: number }
  /** The probe is under way. */
  | { readonly state: 'half-open'; readonly pauseMs: number }

export const CLOSED: Breaker = { state: 'closed', failures: 0 }

/** Whether a delivery may start now. */
export function mayStart(breaker: Breaker, nowMs: number): boolean {
  return breaker.state === 'closed' || (breaker.state === 'open' && nowMs >= breaker.untilMs)
}

/** The state once a delivery has started: the first one after the pause is the probe. */
export function started(breaker: Breaker): Breaker {
  return breaker.state === 'open' ? { state: 'half-open', pauseMs: breaker.pauseMs } : breaker
}

/**
 * The state after a delivery ended. Any success closes it. Failures of deliveries that began before it opened change
 * nothing: only the probe makes the pause longer.
 */
export function ended(
  breaker: Breaker,
  isSuccess: boolean,
  isProbe: boolean,
  nowMs: number,
  rules: BreakerRules,
): Breaker {
  if (isSuccess) return CLOSED
  if (breaker.state === 'closed') {
    const failures = breaker.failures + 1
    return failures < rules.failures
      ? { state: 'closed', failures }
      : { state: 'open', untilMs: nowMs + rules.pauseMs, pauseMs: rules.pauseMs }
  }
  if (breaker.state === 'open' || !isProbe) return breaker
  const pauseMs = Math.min(breaker.pauseMs * 2, rules.pauseMaxMs)
  return { state: 'open', untilMs: nowMs + pauseMs, pauseMs }
}

/**
 * The state after a probe ended without an answer of the endpoint (nothing was sent): the next one may probe at once.
 */
export function unprobed(breaker: Breaker, nowMs: number): Breaker {
  return breaker.state === 'half-open' ? { state: 'open', untilMs: nowMs, pauseMs: breaker.pauseMs } : breaker
}

import type { RateDecision } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'

/** Tells the caller how much of the bucket is left (contract 2); whole seconds, rounded up. */
export function setRateHeaders(ctx: HttpContext, decision: RateDecision): void {
  ctx.set({
    'ratelimit-limit': String(decision.limit),
    'ratelimit-remaining': String(Math.max(0, Math.floor(decision.remaining))),
    'ratelimit-reset': String(Math.ceil(decision.resetSeconds)),
  })
}

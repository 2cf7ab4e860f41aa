import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateDecision, RateLimiter } from '../../ports/rate-limiter.ts'
import { matchedRoute } from '../context.ts'
import type { HttpContext, HttpMiddleware } from '../context.ts'
import { setRateHeaders } from '../rate-headers.ts'

/** Our choice for pairing links: connect pages poll every second or two, and offices share an address. */
export const LINK_REQUESTS_PER_MINUTE = 300

/** Takes one token of the key's bucket, or of the address on pairing links (contract 2). */
export function rateLimited(limiter: RateLimiter): HttpMiddleware {
  return async (ctx, next) => {
    const decision = await take(ctx, limiter)
    if (!decision) return next()
    setRateHeaders(ctx, decision)
    if (decision.isAllowed) return next()
    throw new RefusalError(refuse('RATE_LIMITED', 'Rate limit exceeded', undefined, decision.retryAfterSeconds))
  }
}

async function take(ctx: HttpContext, limiter: RateLimiter): Promise<RateDecision | null> {
  const { caller } = ctx.state
  if (caller) return limiter.take(`key:${caller.keyId}`, caller.requestsPerMinute)
  if (matchedRoute(ctx).access === 'link') return limiter.take(`link:${ctx.ip}`, LINK_REQUESTS_PER_MINUTE)
  return null
}

import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateDecision, RateLimiter } from '../../ports/rate-limiter.ts'
import { matchedRoute } from '../context.ts'
import type { HttpContext, HttpMiddleware } from '../context.ts'
import { setRateHeaders } from '../rate-headers.ts'

/** Our choice for pairing links: connect pages poll every second or two, and offices share an address. */
export const LINK_REQUESTS_PER_MINUTE = 300

/**
 * Our choice for files of messages: an engine fetches what all its numbers send from one address, five numbers at the full rate of
 * sends. Their ids cannot be guessed.
 */
export const FILE_REQUESTS_PER_MINUTE = 6_000

/** Takes one token of the key's bucket, sends having one of their own, or of the address on links (contract 2). */
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
  const { access, bucket } = matchedRoute(ctx)
  if (caller && bucket === 'sends') return limiter.take(`sends:${caller.keyId}`, caller.sendsPerMinute)
  if (caller) return limiter.take(`key:${caller.keyId}`, caller.requestsPerMinute)
  if (access !== 'link') return null
  return bucket === 'files' ? limiter.take(`files:${ctx.ip}`, FILE_REQUESTS_PER_MINUTE) : limiter.take(`link:${ctx.ip}`, LINK_REQUESTS_PER_MINUTE)
}

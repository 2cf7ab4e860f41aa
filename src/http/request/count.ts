import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'

/**
 * Takes one token of a bucket, and sets the headers that say how much is left ([rest.rate-limits.3]), in whole seconds,
 * rounded up. Throws the refusal RATE_LIMITED when the bucket is empty.
 */
export async function count(
  ctx: HttpContext,
  limiter: RateLimiter,
  bucket: string,
  perMinute: number,
  refusal = 'Rate limit exceeded',
): Promise<void> {
  ctx.state.isCounted = true
  const { isAllowed, limit, remaining, resetSeconds, retryAfterSeconds } = await limiter.take(bucket, perMinute)
  ctx.set({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, Math.floor(remaining))),
    'ratelimit-reset': String(Math.ceil(resetSeconds)),
  })
  if (!isAllowed) throw new RefusalError(refuse('RATE_LIMITED', refusal, undefined, retryAfterSeconds))
}

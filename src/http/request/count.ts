import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'

/**
 * Takes one token of a bucket, and tells how much of it is left (contract 2; whole seconds, rounded up). Throws the
 * refusal RATE_LIMITED where nothing was.
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

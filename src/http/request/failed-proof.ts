import { FAILED_AUTH_PER_MINUTE } from '../../domain/limits.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'
import { count } from './count.ts'

/**
 * Counts a key, a cookie or a login that proved nobody: the 21st of an address within a minute is 429
 * ([rest.rate-limits.4], [sessions.login.10]).
 */
export async function countFailedProof(ctx: HttpContext, limiter: RateLimiter): Promise<void> {
  await count(
    ctx,
    limiter,
    `auth-failed:${ctx.state.countedAddress}`,
    FAILED_AUTH_PER_MINUTE,
    'Too many failed authentications',
  )
}

import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'
import { count } from './count.ts'

/**
 * our choice, requests a minute for each address: those that need no key and have no bucket of their own. Balancers and
 * monitors ask every second at most.
 */
export const OPEN_REQUESTS_PER_MINUTE = 600

/** The bucket of an address for requests that prove no caller. */
export function openBucketOf(countedAddress: string): string {
  return `open:${countedAddress}`
}

/** Counts a request that proves no caller. */
export async function countOpen(ctx: HttpContext, limiter: RateLimiter): Promise<void> {
  await count(ctx, limiter, openBucketOf(ctx.state.countedAddress), OPEN_REQUESTS_PER_MINUTE)
}

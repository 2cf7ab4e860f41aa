import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'
import { count } from './count.ts'

/**
 * Our choice: what needs no key and is none of the others, an address: balancers and monitors ask every second at most.
 */
export const OPEN_REQUESTS_PER_MINUTE = 600

/** The bucket of all that an address asks and proves nothing for. */
export function openBucketOf(countedAddress: string): string {
  return `open:${countedAddress}`
}

/** Counts a request of nobody in particular. Throws 429 RATE_LIMITED. */
export async function countOpen(ctx: HttpContext, limiter: RateLimiter): Promise<void> {
  await count(ctx, limiter, openBucketOf(ctx.state.countedAddress), OPEN_REQUESTS_PER_MINUTE)
}

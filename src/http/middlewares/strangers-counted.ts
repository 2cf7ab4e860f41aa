import { REFUSALS, RefusalError } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { countOpen } from '../request/open-requests.ts'

export interface StrangerDeps {
  readonly nodeLimiter: RateLimiter
}

/**
 * Counts for the address, in the bucket of open routes, every refusal before anybody was proved that nothing else has
 * counted: unknown paths, wrong methods, requests without a credential. An address over the limit gets 429 in place of
 * the refusal.
 */
export function strangersCounted({ nodeLimiter }: StrangerDeps): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof RefusalError && REFUSALS[error.refusal.code].status < 500 && isOfStranger(ctx))
        await countOpen(ctx, nodeLimiter)
      throw error
    }
  }
}

/**
 * Whether the refusal is a stranger's. Routes of links, and routes that prove for themselves who posts, count their
 * refusals by their own rules.
 */
function isOfStranger({ state: { route, isCounted, caller, agent, session, embed } }: HttpContext): boolean {
  const of = route?.access.of
  return !isCounted && !caller && !agent && !session && !embed && of !== 'service' && of !== 'link'
}

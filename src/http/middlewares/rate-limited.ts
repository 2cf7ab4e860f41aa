import { createHash } from 'node:crypto'
import { REFUSALS, RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import type { RateDecision, RateLimiter } from '../../ports/rate-limiter.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { setRateHeaders } from '../request/rate-headers.ts'

/** Our choice for a pairing link: connect pages poll every second or two, in more than one window. The same number of unknown links an address. */
export const LINK_REQUESTS_PER_MINUTE = 300

/**
 * Our choice for a file of messages, which many receivers may fetch in ranges. The same number of unknown files an address: an engine fetches what all
 * its numbers send from one, and files expire. Ids cannot be guessed.
 */
export const FILE_REQUESTS_PER_MINUTE = 6_000

/** Our choice: what asks for Flows that proves nothing, an address. All phones ask from addresses of upstream: those that ask well are not counted. */
export const UNPROVED_EXCHANGES_PER_MINUTE = 300

const UNPROVED: ReadonlySet<RefusalCode> = new Set(['FLOW_ASK_UNSIGNED', 'FLOW_ASK_UNREADABLE'])

/** Takes one token of the key's bucket, sends having one of their own; of the link itself where the path holds the secret (contract 2). */
export function rateLimited(limiter: RateLimiter): HttpMiddleware {
  return async (ctx, next) => {
    const { caller } = ctx.state
    const { access, bucket } = matchedRoute(ctx)
    if (!caller && bucket === 'exchanges') return limitUnproved(ctx, next, limiter)
    if (!caller) return access === 'link' ? limitLink(ctx, next, limiter) : next()
    const perMinute = bucket === 'sends' ? caller.limits.sendsPerMinute : caller.limits.requestsPerMinute
    tell(ctx, await limiter.take(`${bucket === 'sends' ? 'sends' : 'key'}:${caller.id}`, perMinute))
    return next()
  }
}

/**
 * A link that exists is counted by itself, so that nobody who tries others from the same address locks its page out; one that turns out
 * unknown is counted for the address.
 */
async function limitLink(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter): Promise<void> {
  const [kind, perMinute] = matchedRoute(ctx).bucket === 'files' ? ['files', FILE_REQUESTS_PER_MINUTE] as const : ['link', LINK_REQUESTS_PER_MINUTE] as const
  tell(ctx, await limiter.take(`${kind}:${secretHash(ctx)}`, perMinute))
  try {
    await next()
  } catch (error) {
    if (error instanceof RefusalError && REFUSALS[error.refusal.code].status === 404) {
      tell(ctx, await limiter.take(`${kind}-unknown:${ctx.state.clientAddress}`, perMinute))
    }
    throw error
  }
}

/** Counts what proved nothing for the address it came from. */
async function limitUnproved(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (error instanceof RefusalError && UNPROVED.has(error.refusal.code)) {
      tell(ctx, await limiter.take(`exchange-unproved:${ctx.state.clientAddress}`, UNPROVED_EXCHANGES_PER_MINUTE))
    }
    throw error
  }
}

/** The secret is the first parameter of the path. */
function secretHash(ctx: HttpContext): string {
  return createHash('sha256').update(Object.values(ctx.state.params)[0] ?? '').digest('base64url')
}

/** Tells what is left; throws where nothing was. */
function tell(ctx: HttpContext, decision: RateDecision): void {
  setRateHeaders(ctx, decision)
  if (!decision.isAllowed) throw new RefusalError(refuse('RATE_LIMITED', 'Rate limit exceeded', undefined, decision.retryAfterSeconds))
}

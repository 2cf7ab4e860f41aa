import type { Caller } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../domain/limits.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { CredentialKind } from '../credentials/kind.ts'
import type { CallerCache } from '../request/caller-cache.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { setRateHeaders } from '../request/rate-headers.ts'

export interface AuthenticatedDeps {
  readonly limiter: RateLimiter
  readonly callers: CallerCache
}

/**
 * Proves who calls, by the first kind of credential that the request carries.
 * Our choice: a valid credential is never refused because of failures from its address, which many
 * clients may share, and a request without any is not counted as a failed one.
 */
export function authenticated(kinds: readonly CredentialKind[], deps: AuthenticatedDeps): HttpMiddleware {
  const asked = `Send ${kinds.map((kind) => kind.asked).join(' or ')}`
  return async (ctx, next) => {
    const { access } = matchedRoute(ctx)
    if (access === 'open' || access === 'link') return next()
    const kind = kinds.find((one) => one.find(ctx) !== '')
    if (!kind) throw new RefusalError(refuse('UNAUTHENTICATED', isKeyAsBearer(ctx) ? 'Send the key in the header x-api-key, not as a bearer token' : asked))
    const sent = kind.find(ctx)
    const caller = await deps.callers.recall(`${kind.name} ${sent}`, () => kind.prove(sent))
    const proved = caller ?? await proveReplaced(kind, sent, ctx)
    if (!proved) return refuseFailed(ctx, deps.limiter)
    ctx.state.caller = proved
    ctx.state.isReplaced = caller === null
    return next()
  }
}

/** Our choice: whoever writes it as with other interfaces is told where it belongs; it is not looked up. */
function isKeyAsBearer(ctx: HttpContext): boolean {
  return /^bearer\s+cms_/i.test(ctx.get('authorization'))
}

/** Who may ask for a first answer once more although the key is refused for all else (contract 2). */
async function proveReplaced(kind: CredentialKind, sent: string, ctx: HttpContext): Promise<Caller | null> {
  const idempotencyKey = ctx.get('idempotency-key')
  if (!matchedRoute(ctx).answersReplacedKey || idempotencyKey === '') return null
  return await kind.proveReplaced?.(sent, idempotencyKey) ?? null
}

/** 401, and 429 from the 21st failure of an address within a minute (contract 2). */
async function refuseFailed(ctx: HttpContext, limiter: RateLimiter): Promise<never> {
  const decision = await limiter.take(`auth-failed:${ctx.state.clientAddress}`, FAILED_AUTH_PER_MINUTE)
  if (decision.isAllowed) throw new RefusalError(refuse('UNAUTHENTICATED', 'The key is unknown or was replaced'))
  setRateHeaders(ctx, decision)
  throw new RefusalError(refuse('RATE_LIMITED', 'Too many failed authentications', undefined, decision.retryAfterSeconds))
}

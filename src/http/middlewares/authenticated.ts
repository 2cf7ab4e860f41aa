import { isWellFormedApiKey } from '../../domain/api-key.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { FAILED_AUTH_PER_MINUTE } from '../../domain/limits.ts'
import type { Caller } from '../../domain/number.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'
import type { CallerCache } from '../caller-cache.ts'
import { matchedRoute } from '../context.ts'
import type { HttpContext, HttpMiddleware } from '../context.ts'
import { setRateHeaders } from '../rate-headers.ts'

interface AuthenticatedDeps {
  readonly keys: KeyStore
  readonly limiter: RateLimiter
  readonly callers: CallerCache
  readonly apiKeyIdAuth: boolean
}

/** contract 2: a key id is `key_` and 26 characters of randomness. */
const KEY_ID = /^key_[0-9a-z]{26}$/

/**
 * Proves who calls, by `x-api-key` or, when that is absent, `x-api-key-id` (spec: Authentication 1).
 * Our choice: a valid key is never refused because of failures from its address, which many
 * clients may share, and a request without any key is not counted as a failed one.
 */
export function authenticated(deps: AuthenticatedDeps): HttpMiddleware {
  return async (ctx, next) => {
    const { access } = matchedRoute(ctx)
    if (access === 'open' || access === 'link') return next()
    const raw = ctx.get('x-api-key')
    const keyId = deps.apiKeyIdAuth ? ctx.get('x-api-key-id') : ''
    if (raw === '' && keyId === '') {
      throw new RefusalError(refuse('UNAUTHENTICATED', deps.apiKeyIdAuth ? 'Send a key in x-api-key or x-api-key-id' : 'Send a key in x-api-key'))
    }
    const caller = raw === '' ? await byKeyId(deps, keyId) : await byKey(deps, raw)
    if (!caller) return refuseFailed(ctx, deps.limiter)
    ctx.state.caller = caller
    return next()
  }
}

function byKey(deps: AuthenticatedDeps, raw: string): Promise<Caller | null> {
  // The form is checked where it saves a look-up: a remembered key has proved it already.
  return deps.callers.recall(raw, async () => isWellFormedApiKey(raw) ? await deps.keys.authenticateKey(raw) : null)
}

function byKeyId(deps: AuthenticatedDeps, keyId: string): Promise<Caller | null> {
  if (!KEY_ID.test(keyId)) return Promise.resolve(null)
  return deps.callers.recall(keyId, () => deps.keys.authenticateKeyId(keyId))
}

/** 401, and 429 from the 21st failure of an address within a minute (contract 2). */
async function refuseFailed(ctx: HttpContext, limiter: RateLimiter): Promise<never> {
  const decision = await limiter.take(`auth-failed:${ctx.ip}`, FAILED_AUTH_PER_MINUTE)
  if (decision.isAllowed) throw new RefusalError(refuse('UNAUTHENTICATED', 'The key is unknown or was replaced'))
  setRateHeaders(ctx, decision)
  throw new RefusalError(refuse('RATE_LIMITED', 'Too many failed authentications', undefined, decision.retryAfterSeconds))
}

import type { Caller } from '../../domain/caller.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { CredentialKind, SentCredential } from '../credentials/kind.ts'
import { opensTo } from '../request/access.ts'
import type { CallerCache } from '../request/caller-cache.ts'
import { CHALLENGE, invalidToken, tokenWanted, type ChallengedResource } from '../request/challenge.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { countFailedProof } from '../request/failed-proof.ts'

export interface AuthenticatedDeps {
  readonly limiter: RateLimiter
  readonly callers: CallerCache
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * Proves who calls, by the first kind of credential that the request carries; a token must come alone
 * ([oauth.tokens.2]). our choice: a valid credential is never refused because of failures from its address, which many
 * clients may share, and a request without any is not counted as a failed one.
 */
export function authenticated(kinds: readonly CredentialKind[], deps: AuthenticatedDeps): HttpMiddleware {
  const asked = `Send ${kinds.map((kind) => kind.asked).join(' or ')}`
  const resource: ChallengedResource = { baseUrl: deps.baseUrl, resource: 'v1' }
  return async (ctx, next) => {
    if (!opensTo(matchedRoute(ctx), 'key')) return next()
    const credential = sentCredential(kinds, ctx)
    if (!credential) throw challenged(ctx, tokenWanted(resource), asked)
    const { kind, sent } = credential
    if (kind.isToken && isKey(sent))
      throw challenged(ctx, invalidToken(resource), 'Send the key in the header x-api-key, not as a bearer token')
    const caller = await deps.callers.recall(`${kind.name} ${sent}`, () => kind.prove(sent))
    const proved = caller ?? (await proveReplaced(kind, sent, ctx))
    if (!proved) {
      await countFailedProof(ctx, deps.limiter)
      throw kind.isToken
        ? challenged(ctx, invalidToken(resource), 'The token is unknown, expired or for another resource')
        : unknownKey()
    }
    ctx.state.caller = proved
    ctx.state.isReplaced = caller === null
    return next()
  }
}

/** Refuses two credentials when one is a token: they might name two callers, and which one is meant is not guessed. */
function sentCredential(kinds: readonly CredentialKind[], ctx: HttpContext): SentCredential | null {
  let first: SentCredential | null = null
  for (const kind of kinds) {
    if (first && !kind.isToken && !first.kind.isToken) continue
    const sent = kind.find(ctx)
    if (sent === '') continue
    if (first) throw new RefusalError(refuse('VALIDATION', 'Send a key or an access token, not both'))
    first = { kind, sent }
  }
  return first
}

/**
 * our choice: a key sent as a bearer token, as other interfaces have it, is not looked up. The refusal says which
 * header it belongs in.
 */
function isKey(sent: string): boolean {
  return sent.startsWith('cms_')
}

function challenged(ctx: HttpContext, challenge: string, message: string): RefusalError {
  ctx.set(CHALLENGE, challenge)
  return new RefusalError(refuse('UNAUTHENTICATED', message))
}

function unknownKey(): RefusalError {
  return new RefusalError(refuse('UNAUTHENTICATED', 'The key is unknown or was replaced'))
}

/**
 * Finds the caller of a replaced key, which may still get the first answer to its regeneration ([rest.idempotency.6])
 * and nothing else.
 */
async function proveReplaced(kind: CredentialKind, sent: string, ctx: HttpContext): Promise<Caller | null> {
  const idempotencyKey = ctx.get('idempotency-key')
  if (!matchedRoute(ctx).answersReplacedKey || idempotencyKey === '') return null
  return (await kind.proveReplaced?.(sent, idempotencyKey)) ?? null
}

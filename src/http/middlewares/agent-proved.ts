import { RefusalError, refuse } from '../../domain/errors.ts'
import { PERMISSIONS } from '../../domain/permissions.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { CredentialKind, SentCredential } from '../credentials/kind.ts'
import { opensTo } from '../request/access.ts'
import { bearerOf } from '../request/bearer.ts'
import type { CallerCache } from '../request/caller-cache.ts'
import { CHALLENGE, invalidToken, tokenWanted } from '../request/challenge.ts'
import type { ChallengedResource } from '../request/challenge.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { countFailedProof } from '../request/failed-proof.ts'

export interface AgentProvedDeps {
  readonly limiter: RateLimiter
  readonly callers: CallerCache
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * The scopes that a program is told to ask a person for while it does not know what it will need
 * ([tools.credentials.2]).
 */
const READS = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => permission.endsWith(':read'))

/**
 * Proves for whom tools are called, by the one credential of the request. Cookies count nothing
 * ([tools.credentials.3]).
 */
export function agentProved(kinds: readonly CredentialKind[], deps: AgentProvedDeps): HttpMiddleware {
  const resource: ChallengedResource = { baseUrl: deps.baseUrl, resource: 'mcp' }
  const asked = `Send ${kinds.map((kind) => kind.asked).join(' or ')}`
  return async (ctx, next) => {
    if (!opensTo(matchedRoute(ctx), 'agent')) return next()
    const credential = sentCredential(kinds, ctx)
    if (!credential) throw challenged(ctx, tokenWanted(resource, READS), asked)
    const { kind, sent } = credential
    const caller = await deps.callers.recall(`${kind.name} ${sent}`, () => kind.prove(sent))
    if (!caller) {
      await countFailedProof(ctx, deps.limiter)
      throw challenged(
        ctx,
        kind.isToken ? invalidToken(resource, READS) : tokenWanted(resource, READS),
        'The credential is unknown, expired, for another resource, or was replaced',
      )
    }
    ctx.state.agent = caller
    return next()
  }
}

/** Refuses two credentials, which might name two callers: which one is meant is not guessed. */
function sentCredential(kinds: readonly CredentialKind[], ctx: HttpContext): SentCredential | null {
  if (bearerOf(ctx) !== '' && (ctx.get('x-api-key') !== '' || ctx.get('x-api-key-id') !== '')) {
    throw new RefusalError(refuse('VALIDATION', 'Send a bearer token, or a key in its own header, not both'))
  }
  for (const kind of kinds) {
    const sent = kind.find(ctx)
    if (sent !== '') return { kind, sent }
  }
  return null
}

function challenged(ctx: HttpContext, challenge: string, message: string): RefusalError {
  ctx.set(CHALLENGE, challenge)
  return new RefusalError(refuse('UNAUTHENTICATED', message))
}

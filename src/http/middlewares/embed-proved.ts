import type { EmbedOver } from '../../domain/embed-session.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { EmbedSessionStore, ProvedEmbed } from '../../ports/stores/embed-session-store.ts'
import { opensTo } from '../request/access.ts'
import { bearerOf } from '../request/bearer.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { count } from '../request/count.ts'
import { nameOrigin } from '../request/embed-origins.ts'

export interface EmbedProvedDeps {
  readonly embedSessions: Pick<EmbedSessionStore, 'prove' | 'touch'>
  readonly limiter: RateLimiter
  readonly clock: Clock
}

/**
 * our choice: requests with an unknown token for each address. Tokens cannot be guessed, and users of many embeds may
 * share an address.
 */
export const UNKNOWN_TOKENS_PER_MINUTE = 300
/** our choice, in ms: the store notes the use of a session at most this often. */
const TOUCH_MS = 60_000

const NO_START = refuse(
  'PERMISSION_DENIED',
  'This embed session may not start conversations: mint it with startConversation',
)

const OVER: Readonly<Record<EmbedOver, readonly [RefusalCode, string]>> = {
  EXPIRED: ['TOKEN_EXPIRED', 'The token has expired: mint a new session on your server'],
  REVOKED: ['TOKEN_REVOKED', 'The session was ended: mint a new one on your server'],
}

/**
 * Proves embed tokens ([embeds.tokens.2]): a bearer token of a live session, sent by one of our pages or an allowed
 * origin, for the right surface ([embeds.errors.2]). Nothing is remembered between requests, so a session that ends has
 * ended on every node ([embeds.refresh.4]).
 */
export function embedProved(deps: EmbedProvedDeps): HttpMiddleware {
  return async (ctx, next) => {
    const route = matchedRoute(ctx)
    if (!opensTo(route, 'embed')) return next()
    const { surface, isStart } = route
    const token = bearerOf(ctx)
    const proved = await deps.embedSessions.prove(token)
    if (proved.kind !== 'live') return refuseToken(ctx, deps.limiter, token, proved)
    const { session, secretEndsAt } = proved
    if (!nameOrigin(ctx, session.allowedOrigins))
      throw new RefusalError(
        refuse(
          'ORIGIN_NOT_ALLOWED',
          'This embed session does not allow the origin of this page: name it in allowedOrigins',
        ),
      )
    if (surface !== undefined && surface !== session.surface)
      throw new RefusalError(refuse('SURFACE_NOT_ALLOWED', `This embed session is for the surface ${session.surface}`))
    // Before a kept answer is given, which may be another session's.
    if (isStart && !session.canStart) throw new RefusalError(NO_START)
    if (deps.clock.now() - (session.lastUsedAt?.getTime() ?? 0) >= TOUCH_MS) await deps.embedSessions.touch(session.id)
    ctx.state.embed = { session, secretEndsAt, token }
    return next()
  }
}

async function refuseToken(
  ctx: HttpContext,
  limiter: RateLimiter,
  token: string,
  proved: Exclude<ProvedEmbed, { kind: 'live' }>,
): Promise<never> {
  if (proved.kind === 'unknown' && token !== '')
    await count(ctx, limiter, `embed-unknown:${ctx.state.countedAddress}`, UNKNOWN_TOKENS_PER_MINUTE)
  throw new RefusalError(tokenRefusal(proved))
}

/** The refusal of a token without a live session ([embeds.errors.1]). */
export function tokenRefusal(proved: Exclude<ProvedEmbed, { kind: 'live' }>): Refusal {
  if (proved.kind === 'over') return refuse(...OVER[proved.reason])
  return refuse('INVALID_TOKEN', 'Send the token of a live embed session as authorization: Bearer')
}

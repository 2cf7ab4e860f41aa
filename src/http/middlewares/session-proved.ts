import { RefusalError, refuse } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { WebSessionStore } from '../../ports/stores/web-session-store.ts'
import { callerOfSession } from '../credentials/session.ts'
import { opensTo } from '../request/access.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'
import { countFailedProof } from '../request/failed-proof.ts'
import { sessionCookieOf } from '../request/session-cookie.ts'

export interface SessionProvedDeps {
  readonly webSessions: Pick<WebSessionStore, 'prove'>
  readonly limiter: RateLimiter
  readonly baseUrl: string
}

/**
 * Proves the session of the dashboard by its cookie. No session is remembered, so one that ended is refused at once on
 * every node.
 */
export function sessionProved({ webSessions, limiter, baseUrl }: SessionProvedDeps): HttpMiddleware {
  const cookie = sessionCookieOf(baseUrl)
  return async (ctx, next) => {
    if (!opensTo(matchedRoute(ctx), 'session')) return next()
    const secret = cookie.read(ctx.headers.cookie)
    if (secret === null) throw refused()
    const session = await webSessions.prove(secret)
    if (!session) {
      await countFailedProof(ctx, limiter)
      throw refused()
    }
    ctx.state.session = session
    ctx.state.caller = callerOfSession(session)
    return next()
  }
}

function refused(): RefusalError {
  return new RefusalError(refuse('UNAUTHENTICATED', 'Sign in: this browser has no session that is live'))
}

import { RefusalError, refuse } from '../../domain/errors.ts'
import { opensTo } from '../request/access.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { isOfDashboard } from '../request/dashboard-paths.ts'
import { otherAddress } from '../request/other-address.ts'
import { isSameText } from '../request/same-text.ts'

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const TOKEN = 'x-csrf-token'

/**
 * Refuses requests below /api (but /api/public) that would change something and do not come from a page of ours
 * ([sessions.csrf.1]), before credentials or body are looked at: a browser sends the cookie whichever page asks. Routes
 * of a session also need a CSRF token; see `csrfProved`.
 */
export function ownPageAsked(baseUrl: string): HttpMiddleware {
  const { origin } = new URL(baseUrl)
  return (ctx, next) => {
    if (!isGuarded(ctx)) return next()
    if (!isFromOwnPage(ctx, origin))
      throw rejected(otherAddress(ctx.headers, origin) ?? 'Only pages of this service may ask for this')
    if (opensTo(matchedRoute(ctx), 'session') && ctx.get(TOKEN) === '')
      throw rejected(`Send the csrfToken of GET /api/session in ${TOKEN}`)
    return next()
  }
}

/** Refuses an unsafe request whose CSRF token is not that of its session ([sessions.csrf.2]). */
export function csrfProved(): HttpMiddleware {
  return (ctx, next) => {
    const { session } = ctx.state
    if (!session || !isGuarded(ctx) || isSameText(session.csrfToken, ctx.get(TOKEN))) return next()
    throw rejected(`The ${TOKEN} is not that of this session`)
  }
}

function isGuarded(ctx: HttpContext): boolean {
  return !SAFE.has(ctx.method) && isOfDashboard(matchedRoute(ctx).path)
}

/** `sec-fetch-site`, which no page can set, decides. Browsers that do not send it name the origin. */
function isFromOwnPage({ headers }: HttpContext, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}

function rejected(message: string): RefusalError {
  return new RefusalError(refuse('CSRF_REJECTED', message))
}

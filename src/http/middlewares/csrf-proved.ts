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
 * Refuses what would change something below /api (but /api/public) and was not sent by a page of ours, before
 * credentials or body are looked at (contract 19): a browser sends the cookie along whoever asks. On routes of a
 * session a CSRF token has to come along, too; see `csrfProved`.
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

/** Refuses where the token that came along is not that of the session. */
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

/** What a browser says of it itself counts; those that do not say it name the origin. */
function isFromOwnPage({ headers }: HttpContext, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}

function rejected(message: string): RefusalError {
  return new RefusalError(refuse('CSRF_REJECTED', message))
}

import { isBelow } from '../request/below.ts'
import type { HttpMiddleware } from '../request/context.ts'

/**
 * Paths that pages of any origin may ask ([oauth.endpoints.7]). `/oauth/authorize` is missing, because a browser goes
 * there and no page asks for it.
 */
const OPEN = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
]
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
}

/**
 * Lets pages of any origin read the answers of OAuth, without credentials of the browser: nothing there reads a cookie.
 */
export function oauthCors(): HttpMiddleware {
  return (ctx, next) => {
    if (!OPEN.some((path) => isBelow(ctx.path, path))) return next()
    ctx.set('access-control-allow-origin', '*')
    ctx.set('access-control-expose-headers', 'retry-after, www-authenticate, x-request-id')
    if (ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '') {
      ctx.set(PREFLIGHT)
      ctx.status = 204
      return
    }
    return next()
  }
}

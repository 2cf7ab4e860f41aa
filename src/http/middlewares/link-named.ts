import { bearerOf } from '../request/bearer.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'

/** What stands in the path in place of the token ([pairing.routes.4]). */
const SELF = 'self'

/**
 * Puts the token of `authorization: Bearer rp_...` where `self` stands in the path of a link route, before anything
 * counts or looks the link up. Any other bearer token, or none, names an unknown link.
 */
export function linkNamed(): HttpMiddleware {
  return (ctx, next) => {
    const { params } = ctx.state
    if (matchedRoute(ctx).access.of === 'link' && params['token'] === SELF)
      ctx.state.params = { ...params, token: bearerOf(ctx) }
    return next()
  }
}

import { RefusalError, refuse } from '../../domain/errors.ts'
import { PERMISSIONS, type Permission } from '../../domain/permissions.ts'
import { isOfAccount, opensTo } from '../request/access.ts'
import { CHALLENGE, insufficientScope } from '../request/challenge.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/**
 * Refuses grants and sessions without the route's permission, and those on a route that names none
 * ([people.permissions.10]). Where a wider grant would help, the challenge says so ([oauth.tokens.5]).
 */
export function permissionHeld(baseUrl: string): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    const route = matchedRoute(ctx)
    const { permission } = route
    if (!caller || caller.permissions === 'all') return next()
    // A route of a session itself, or of a link, may have no permission.
    if (permission === undefined && !isOfAccount(route.access)) return next()
    if (permission === undefined) throw denied('Access tokens cannot be used on this route: use a key')
    if (!opensTo(route, caller.by) && PERMISSIONS[permission].isGranted)
      throw denied('Access tokens cannot be used on this route: use a key')
    if (caller.permissions.has(permission)) return next()
    if (caller.by === 'grant' && caller.rolePermissions.has(permission)) challenge(ctx, baseUrl, permission)
    throw denied(`This route needs the permission ${permission}`)
  }
}

/** Names the missing scope, unless it is one that no client is ever granted ([people.permissions.9]). */
function challenge(ctx: HttpContext, baseUrl: string, needed: Permission): void {
  if (PERMISSIONS[needed].isGranted) ctx.set(CHALLENGE, insufficientScope({ baseUrl, resource: 'v1' }, needed))
}

function denied(message: string): RefusalError {
  return new RefusalError(refuse('PERMISSION_DENIED', message))
}

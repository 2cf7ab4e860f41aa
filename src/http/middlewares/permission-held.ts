import { RefusalError, refuse } from '../../domain/errors.ts'
import { PERMISSIONS, type Permission } from '../../domain/permissions.ts'
import { isOfAccount, opensTo } from '../request/access.ts'
import { CHALLENGE, insufficientScope } from '../request/challenge.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/**
 * Refuses callers that are not allowed everything where the route's permission is not among theirs, or the route names
 * none (contract 14). Where more of a grant would help, that is said in the challenge.
 */
export function permissionHeld(baseUrl: string): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    const route = matchedRoute(ctx)
    const { permission } = route
    if (!caller || caller.permissions === 'all') return next()
    // What opens to a session alone, or to whoever has a link, may be of nobody's role.
    if (permission === undefined && !isOfAccount(route.access)) return next()
    if (permission === undefined) throw denied('Only a key opens this route')
    if (!opensTo(route, caller.by) && PERMISSIONS[permission].isGranted) throw denied('No token opens this route')
    if (caller.permissions.has(permission)) return next()
    if (caller.by === 'grant' && caller.rolePermissions.has(permission)) challenge(ctx, baseUrl, permission)
    throw denied(`This route needs the permission ${permission}`)
  }
}

/** Nobody is sent to ask for what no client is ever granted. */
function challenge(ctx: HttpContext, baseUrl: string, needed: Permission): void {
  if (PERMISSIONS[needed].isGranted) ctx.set(CHALLENGE, insufficientScope({ baseUrl, resource: 'v1' }, needed))
}

function denied(message: string): RefusalError {
  return new RefusalError(refuse('PERMISSION_DENIED', message))
}

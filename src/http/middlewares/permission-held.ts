import { RefusalError, refuse } from '../../domain/errors.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'

/** Refuses callers that are not allowed everything where the route's permission is not among theirs, or the route names none (contract 14). */
export function permissionHeld(): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    if (!caller || caller.permissions === 'all') return next()
    const { permission } = matchedRoute(ctx)
    if (permission !== undefined && caller.permissions.has(permission)) return next()
    throw new RefusalError(refuse('PERMISSION_DENIED', permission === undefined ? 'Only a key opens this route' : `This route needs the permission ${permission}`))
  }
}

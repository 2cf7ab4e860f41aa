import type { Caller } from '../../domain/caller.ts'
import type { NumberId } from '../../domain/ids.ts'
import { PERMISSIONS } from '../../domain/permissions.ts'
import type { Permission } from '../../domain/permissions.ts'
import { scopeRefusal } from '../request/access.ts'
import type { Route } from '../request/route.ts'

type Reached = Pick<Route, 'access' | 'permission'>

/**
 * Whether scope and permissions of a caller let it use a route at all, for whatever number and input. Tools that it
 * cannot use are not listed ([tools.calls.9]).
 */
export function canUse(route: Reached, caller: Caller): boolean {
  return (
    caller.reach.at !== 'nowhere'
    && scopeRefusal(route, caller, true) === null
    && (caller.permissions === 'all' || (route.permission !== undefined && caller.permissions.has(route.permission)))
  )
}

/**
 * The permission that a grant lacks for a route, where its user's role has it; null when nothing is missing, or nothing
 * would help ([tools.calls.8]).
 */
export function missingScope({ permission }: Reached, caller: Caller): Permission | null {
  if (
    caller.by !== 'grant'
    || permission === undefined
    || caller.permissions === 'all'
    || caller.permissions.has(permission)
  )
    return null
  return caller.rolePermissions.has(permission) && PERMISSIONS[permission].isGranted ? permission : null
}

/**
 * The one number that a grant is over; null when it is over more, or all ([tools.calls.3]). A key's own number needs no
 * name.
 */
export function onlyNumber({ reach }: Caller): NumberId | null {
  return reach.at === 'numbers' && reach.numberIds.length === 1 ? (reach.numberIds[0] ?? null) : null
}

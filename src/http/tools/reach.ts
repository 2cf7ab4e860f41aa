import type { Caller } from '../../domain/caller.ts'
import type { NumberId } from '../../domain/ids.ts'
import { PERMISSIONS } from '../../domain/permissions.ts'
import type { Permission } from '../../domain/permissions.ts'
import { scopeRefusal } from '../request/access.ts'
import type { Route } from '../request/route.ts'

type Reached = Pick<Route, 'access' | 'permission'>

/**
 * Whether scope and permissions of a caller let it use a route at all, whatever it asks and whichever number it names:
 * what it cannot use is not listed (contract 15).
 */
export function canUse(route: Reached, caller: Caller): boolean {
  return (
    caller.reach.at !== 'nowhere'
    && scopeRefusal(route, caller, true) === null
    && (caller.permissions === 'all' || (route.permission !== undefined && caller.permissions.has(route.permission)))
  )
}

/**
 * What a grant would have to be given for a route, where its user may give it; null: nothing would help, or nothing is
 * missing.
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

/** The one number that a grant is over; null where it is over more, or all. A key's own number needs no name. */
export function onlyNumber({ reach }: Caller): NumberId | null {
  return reach.at === 'numbers' && reach.numberIds.length === 1 ? (reach.numberIds[0] ?? null) : null
}

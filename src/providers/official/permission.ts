import type { CallPermission } from '../../ports/official-platform.ts'
import { fieldsOf, numberIn, objectsIn } from './loose.ts'
import type { Fields } from './loose.ts'

type Action = CallPermission['actions'][number]
type Limit = Action['limits'][number]

/** Reads a permission probe; null when it holds no status. The fields the specification shows are there, also those upstream leaves out, and no others. */
export function readPermission(body: Fields): CallPermission | null {
  const permission = fieldsOf(body['permission'])
  const status = permission?.['status']
  if (typeof status !== 'string') return null
  return {
    permission: { status, expiration_time: numberIn(permission, 'expiration_time') },
    actions: objectsIn(body, 'actions').flatMap(readAction),
  }
}

function readAction(action: Fields): Action[] {
  const name = action['action_name']
  if (typeof name !== 'string') return []
  return [{
    action_name: name,
    can_perform_action: action['can_perform_action'] === true,
    limits: objectsIn(action, 'limits').flatMap(readLimit),
  }]
}

function readLimit(limit: Fields): Limit[] {
  const period = limit['time_period']
  const allowed = numberIn(limit, 'max_allowed')
  const used = numberIn(limit, 'current_usage')
  return typeof period === 'string' && allowed !== null && used !== null ? [{ time_period: period, max_allowed: allowed, current_usage: used }] : []
}

import type { CallPermission } from '../../ports/official-platform.ts'
import { fieldsOf } from './graph-error.ts'

type Action = CallPermission['actions'][number]
type Limit = NonNullable<Action['limits']>[number]

/** Reads a permission probe; null when it holds no status. Only the fields the specification shows get through. */
export function readPermission(body: Readonly<Record<string, unknown>>): CallPermission | null {
  const permission = fieldsOf(body['permission'])
  const status = permission?.['status']
  if (typeof status !== 'string') return null
  const expiration = numberOf(permission?.['expiration_time'])
  return {
    permission: { status, ...(expiration === null ? {} : { expiration_time: expiration }) },
    actions: listOf(body['actions']).flatMap(readAction),
  }
}

function readAction(value: unknown): Action[] {
  const action = fieldsOf(value)
  const name = action?.['action_name']
  if (!action || typeof name !== 'string') return []
  const limits = action['limits']
  return [{
    action_name: name,
    can_perform_action: action['can_perform_action'] === true,
    ...(Array.isArray(limits) ? { limits: limits.flatMap(readLimit) } : {}),
  }]
}

function readLimit(value: unknown): Limit[] {
  const limit = fieldsOf(value)
  const period = limit?.['time_period']
  const allowed = numberOf(limit?.['max_allowed'])
  const used = numberOf(limit?.['current_usage'])
  return typeof period === 'string' && allowed !== null && used !== null ? [{ time_period: period, max_allowed: allowed, current_usage: used }] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Upstream writes some numbers as texts. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
}

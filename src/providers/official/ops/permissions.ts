import { fail, succeed } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { CallPermission, PermissionsPort } from '../../../ports/official/permissions.ts'
import type { Graph } from '../client/graph.ts'
import { refusalOf, unreadable } from '../errors/error-map.ts'
import { fieldsOf, numberIn, objectsIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { messageIdOf } from '../message/message-id.ts'
import { recipientOf } from '../message/recipient.ts'

/** Whether a number may call a user. */
export function permissionsOps(graph: Graph, credentials: OfficialCredentials): PermissionsPort {
  return {
    async read(to) {
      const answer = await graph.ask(credentials, {
        op: 'permission.read',
        method: 'GET',
        path: [credentials.phoneId, 'call_permissions'],
        query: /^\d+$/.test(to) ? { user_wa_id: to } : { recipient: to },
        isRepeatable: true,
      })
      if (!answer.ok) return fail(refusalOf(answer.failure))
      const permission = readPermission(answer.body)
      return permission ? succeed(permission) : fail(unreadable('The answer holds no permission.'))
    },
    /** Sent once, because upstream has no idempotency key, and each request counts against a limit of one a day. */
    async request(to, text) {
      const answer = await graph.ask(credentials, {
        op: 'permission.request',
        method: 'POST',
        path: [credentials.phoneId, 'messages'],
        isRepeatable: false,
        body: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          ...recipientOf(to),
          type: 'interactive',
          interactive: { type: 'call_permission_request', action: { name: 'call_permission_request' }, body: { text } },
        },
      })
      if (!answer.ok) return fail(refusalOf(answer.failure))
      const messageId = messageIdOf(answer.body)
      return messageId === null ? fail(unreadable('The answer holds no message id.')) : succeed({ messageId })
    },
  }
}

type Action = CallPermission['actions'][number]
type Limit = Action['limits'][number]

/**
 * Reads a permission; null when the answer holds no status. It has exactly the fields of [calls.routes.10], also those
 * that upstream leaves out.
 */
function readPermission(body: Fields): CallPermission | null {
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
  return [
    {
      action_name: name,
      can_perform_action: action['can_perform_action'] === true,
      limits: objectsIn(action, 'limits').flatMap(readLimit),
    },
  ]
}

function readLimit(limit: Fields): Limit[] {
  const period = limit['time_period']
  const allowed = numberIn(limit, 'max_allowed')
  const used = numberIn(limit, 'current_usage')
  return typeof period === 'string' && allowed !== null && used !== null
    ? [{ time_period: period, max_allowed: allowed, current_usage: used }]
    : []
}

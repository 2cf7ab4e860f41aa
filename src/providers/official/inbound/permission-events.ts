import type { OfficialCallEvent } from '../../../ports/official/call-events.ts'
import { nameIn, objectIn, objectsIn, textIn, timeIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

type PermissionStatus = (OfficialCallEvent & { type: 'permissionChanged' })['status']

const REFUSALS: ReadonlySet<string> = new Set(['reject', 'rejected', 'revoke', 'revoked'])

/** Replies to permission requests in a change of field `messages`; other messages say nothing of calls. */
export function permissionEvents(value: Fields): OfficialCallEvent[] {
  const [contact] = objectsIn(value, 'contacts')
  return objectsIn(value, 'messages').flatMap((message) => {
    const reply = objectIn(objectIn(message, 'interactive'), 'call_permission_reply')
    const status = reply && statusOf(reply)
    const peer =
      nameIn(message, 'from')
      ?? nameIn(contact ?? null, 'wa_id')
      ?? nameIn(message, 'from_user_id')
      ?? nameIn(contact ?? null, 'user_id')
    if (!status || peer === null) return []
    // Only a temporary permission runs out.
    const expiresAt = status === 'TEMPORARY' ? timeIn(reply, 'expiration_timestamp') : null
    return [{ type: 'permissionChanged', peer, status, expiresAt, at: timeIn(message, 'timestamp') }]
  })
}

/**
 * Upstream says accept or reject and whether for good: the status is derived. An answer of an unknown kind changes
 * nothing.
 */
function statusOf(reply: Fields): PermissionStatus | null {
  const response = textIn(reply, 'response')?.toLowerCase() ?? ''
  if (response === 'accept' || response === 'accepted')
    return reply['is_permanent'] === true || reply['is_permanent'] === 'true' ? 'PERMANENT' : 'TEMPORARY'
  return REFUSALS.has(response) ? 'NO_PERMISSION' : null
}

import type { TenantId, UserId } from '../../domain/ids.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { SessionPorts } from './ports.ts'

/** Signs out: the session is over, even if it was already. */
export async function signOut(
  { webSessions, revokeCallers }: SessionPorts,
  { tenantId, id }: Pick<WebSession, 'tenantId' | 'id'>,
): Promise<void> {
  await webSessions.end(tenantId, id)
  await revokeCallers(id)
}

/**
 * Ends a session of a tenant, and only one of the person `userId` when that is given. Answers false when there is no
 * such session.
 */
export async function endSession(
  { webSessions, revokeCallers }: SessionPorts,
  tenantId: TenantId,
  id: string,
  userId?: UserId,
): Promise<boolean> {
  const isEnded = await webSessions.end(tenantId, id, userId)
  if (isEnded) await revokeCallers(id)
  return isEnded
}

import type { TenantId, UserId } from '../../domain/ids.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { SessionPorts } from './ports.ts'

/** Signs out: the session is over, whether or not it was already. */
export async function signOut(
  { webSessions, revokeCallers }: SessionPorts,
  { tenantId, id }: Pick<WebSession, 'tenantId' | 'id'>,
): Promise<void> {
  await webSessions.end(tenantId, id)
  await revokeCallers(id)
}

/** Ends a session of a tenant, where `userId` is given one of that person alone. False: there is no such one. */
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

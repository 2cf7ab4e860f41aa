import type { Caller } from '../../domain/caller.ts'
import { permissionsOfSession, SESSION_REQUESTS_PER_MINUTE, type WebSession } from '../../domain/web-session.ts'

const LIMITS = { requestsPerMinute: SESSION_REQUESTS_PER_MINUTE, sendsPerMinute: SESSION_REQUESTS_PER_MINUTE }

/**
 * Who calls in a session of the dashboard: its user by the role of this moment, or an OWNER where the tenant's key or a
 * login token opened it (contract 14).
 */
export function callerOfSession(session: WebSession): Caller {
  const { id, tenantId, user } = session
  return {
    by: 'session',
    id,
    tenantId,
    user,
    reach: { at: 'tenant' },
    permissions: permissionsOfSession(session),
    limits: LIMITS,
  }
}

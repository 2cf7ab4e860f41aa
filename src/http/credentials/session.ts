import type { Caller } from '../../domain/caller.ts'
import { permissionsOfSession, SESSION_REQUESTS_PER_MINUTE, type WebSession } from '../../domain/web-session.ts'

const LIMITS = { requestsPerMinute: SESSION_REQUESTS_PER_MINUTE, sendsPerMinute: SESSION_REQUESTS_PER_MINUTE }

/**
 * The caller of a dashboard session: its user with the role of this moment ([people.permissions.11]), or an OWNER when
 * the tenant key or a login link opened it ([people.permissions.14]).
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

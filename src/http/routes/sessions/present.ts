import { permissionsOfSession, type WebSession } from '../../../domain/web-session.ts'

/** A session as its own page needs it ([sessions.login.1]). */
export function presentSignedIn(session: WebSession) {
  return {
    tenant: { id: session.tenantId, name: session.tenantName },
    csrfToken: session.csrfToken,
    expiresAt: session.expiresAt.toISOString(),
    user: session.user,
    permissions: [...permissionsOfSession(session)],
  }
}

/** A session in the list of its tenant ([sessions.login.4]), without its secret. */
export function presentSession(session: WebSession, current: WebSession) {
  return {
    id: session.id,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    address: session.address,
    userAgent: session.userAgent,
    user: session.user && { id: session.user.id, email: session.user.email },
    isCurrent: session.id === current.id,
  }
}

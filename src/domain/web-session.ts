import type { TenantId, WebSessionId } from './ids.ts'
import { permissionsOf, type Permission, type Role } from './permissions.ts'
import type { UserRef } from './user.ts'

/** A session of the dashboard; the cookie's secret is stored as a hash ([sessions.cookie.1]). */
export interface WebSession {
  readonly id: WebSessionId
  readonly tenantId: TenantId
  readonly tenantName: string
  readonly csrfToken: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** 7 days after it was opened, whatever its use ([sessions.cookie.3]). */
  readonly expiresAt: Date
  readonly address: string | null
  readonly userAgent: string | null
  /**
   * The person who signed in with a password, read anew. Null when the tenant's key or a login token opened the
   * session, which then acts as an OWNER ([people.permissions.14]).
   */
  readonly user: UserRef | null
}

/**
 * Gives the role that a session acts with: the present role of its user; OWNER without one ([people.permissions.14]).
 */
export function roleOf({ user }: Pick<WebSession, 'user'>): Role {
  return user?.role ?? 'OWNER'
}

/** Lists what a session may do, by the present role of its user. */
export function permissionsOfSession(session: Pick<WebSession, 'user'>): ReadonlySet<Permission> {
  return permissionsOf(roleOf(session))
}

/** In ms: [sessions.cookie.3] for the session, [sessions.login-links.1] for a login token. */
export const SESSION_IDLE_MS = 12 * 3_600_000
export const SESSION_MAX_MS = 7 * 24 * 3_600_000
export const LOGIN_TOKEN_MS = 15 * 60_000
/** Requests of one session a minute ([sessions.second-door.4]). */
export const SESSION_REQUESTS_PER_MINUTE = 1_200
/** our choice: a session's last use is written this often at most, in ms. */
export const SESSION_SEEN_MS = 60_000
/** our choice: sessions of a person, or of a tenant's key, at most; a new one ends the one unseen for longest. */
export const MOST_SESSIONS = 100
/** our choice: characters kept of what a browser says of itself. */
export const USER_AGENT_LENGTH = 300

/** True when a text has the form of a login token: `lt_` and 43 characters ([sessions.login-links.1]). */
export function isLoginToken(text: string): boolean {
  return /^lt_[\w-]{43}$/.test(text)
}

/** True when a text has the form of a cookie's secret: 32 bytes as base64url ([sessions.cookie.1]). */
export function isSessionSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

import type { TenantId, WebSessionId } from './ids.ts'
import { permissionsOf, type Permission, type Role } from './permissions.ts'
import type { UserRef } from './user.ts'

/** A session of the dashboard (contract 19); the cookie's secret is stored as a hash. */
export interface WebSession {
  readonly id: WebSessionId
  readonly tenantId: TenantId
  readonly tenantName: string
  readonly csrfToken: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** 7 days after it was opened, whatever happens. */
  readonly expiresAt: Date
  readonly address: string | null
  readonly userAgent: string | null
  /**
   * Who signed in with a password, as of now; null: by the tenant's key or a login token, which acts as an OWNER
   * (contract 14).
   */
  readonly user: UserRef | null
}

/** The role a session acts with: the present one of its user; OWNER where it has none (contract 14). */
export function roleOf({ user }: Pick<WebSession, 'user'>): Role {
  return user?.role ?? 'OWNER'
}

/** What a session may do, by the present role of its user. */
export function permissionsOfSession(session: Pick<WebSession, 'user'>): ReadonlySet<Permission> {
  return permissionsOf(roleOf(session))
}

/** contract 19, in ms. */
export const SESSION_IDLE_MS = 12 * 3_600_000
export const SESSION_MAX_MS = 7 * 24 * 3_600_000
export const LOGIN_TOKEN_MS = 15 * 60_000
/** contract 19. */
export const SESSION_REQUESTS_PER_MINUTE = 1_200
/** our choice: when a session was seen is written this often at most, in ms. */
export const SESSION_SEEN_MS = 60_000
/** our choice: sessions of a person at most, and of a tenant's key; the one not seen for longest ends for a new one. */
export const MOST_SESSIONS = 100
/** our choice: as much as is kept of what a browser says of itself. */
export const USER_AGENT_LENGTH = 300

/** Whether a text has the form of a login token: `lt_` and 43 characters (contract 19). */
export function isLoginToken(text: string): boolean {
  return /^lt_[\w-]{43}$/.test(text)
}

/** Whether a text has the form of a cookie's secret: 32 bytes as base64url (contract 19). */
export function isSessionSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

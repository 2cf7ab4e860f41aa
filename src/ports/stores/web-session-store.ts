import type { KeyId, TenantId, UserId, WebSessionId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import type { WebSession } from '../../domain/web-session.ts'

export interface OpenedSession {
  readonly session: WebSession
  /** The cookie's 32 random bytes as base64url; stored as a hash ([sessions.cookie.1]). */
  readonly secret: string
}

export interface SessionOrigin {
  readonly address: string | null
  readonly userAgent: string | null
}

/**
 * What opens a session: a tenant's key that was already proved; a login token, which it uses up; a person whose already
 * proved password still has this hash; or an invitation, which it uses up, with the hash of the person's new password,
 * and a new name when one is given.
 */
export type SessionProof =
  | { readonly keyId: KeyId }
  | { readonly loginToken: string }
  | { readonly userId: UserId; readonly passwordHash: string }
  | { readonly invitation: string; readonly passwordHash: string; readonly name: string | null }

/**
 * Sessions of the dashboard. A session lives while the tenant has the key that it had when the session was opened: the
 * key's rotation ends all. A person's session also ends with the person's password, and when the person is disabled or
 * removed.
 */
export interface WebSessionStore {
  /**
   * Opens a session; null when the key is no tenant's any more, when the login token or the invitation is unknown, used
   * or over, or when the person is not ACTIVE or has another password.
   */
  open(proof: SessionProof, from: SessionOrigin): Promise<OpenedSession | null>
  /**
   * Finds the session of a secret; null when unknown, idle for SESSION_IDLE_MS, older than SESSION_MAX_MS, or when its
   * key, password or person no longer holds. Notes that it was seen, once in SESSION_SEEN_MS.
   */
  prove(secret: string): Promise<WebSession | null>
  /** Lists live sessions of a tenant, or of one person of it, newest first. */
  list(tenantId: TenantId, userId?: UserId): Promise<readonly WebSession[]>
  /** Gives the role of each of these sessions that is live. */
  roles(ids: readonly WebSessionId[]): Promise<ReadonlyMap<WebSessionId, Role>>
  /** Ends a session; false when unknown, over, or of another tenant, or of another person when one is named. */
  end(tenantId: TenantId, id: string, userId?: UserId): Promise<boolean>
  /** Ends the session of this secret, whoever has it. */
  endSecret(secret: string): Promise<void>
  /**
   * Makes a token `lt_...` that opens one session within LOGIN_TOKEN_MS; stored as a hash. Null when there is no such
   * tenant; a `tenantId` of null means the oldest tenant.
   */
  mintLoginToken(tenantId: string | null): Promise<string | null>
  /** Deletes sessions and login tokens that are over; gives their number. */
  purge(): Promise<number>
}

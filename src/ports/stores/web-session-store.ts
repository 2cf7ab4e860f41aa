import type { KeyId, TenantId, UserId } from '../../domain/ids.ts'
import type { WebSession } from '../../domain/web-session.ts'

export interface OpenedSession {
  readonly session: WebSession
  /** 32 random bytes as base64url, of the cookie; stored as a hash. */
  readonly secret: string
}

export interface SessionOrigin {
  readonly address: string | null
  readonly userAgent: string | null
}

/**
 * What opens a session: the key of a tenant, already proved; a login token, which it uses up; a person whose password,
 * already proved, is still the one of this hash; or an invitation, which it uses up, with the hash of the password that
 * the person has from then on, and a name in place of the one before where it is given.
 */
export type SessionProof =
  | { readonly keyId: KeyId }
  | { readonly loginToken: string }
  | { readonly userId: UserId; readonly passwordHash: string }
  | { readonly invitation: string; readonly passwordHash: string; readonly name: string | null }

/**
 * Sessions of the dashboard. One lives for as long as the tenant has the key it had when it was opened: with the key's
 * rotation all are over. That of a person ends with any that person's password, too, and with being disabled or
 * removed.
 */
export interface WebSessionStore {
  /**
   * Null where the key is no tenant's any more; where the login token or the invitation is unknown, used or over; where
   * the person is not ACTIVE or has another password.
   */
  open(proof: SessionProof, from: SessionOrigin): Promise<OpenedSession | null>
  /**
   * Null when unknown, idle for SESSION_IDLE_MS, older than SESSION_MAX_MS, or of a key, a password or a person that is
   * so no more. Notes that it was seen, once in SESSION_SEEN_MS.
   */
  prove(secret: string): Promise<WebSession | null>
  /** Live ones of a tenant, or of one person of it, newest first. */
  list(tenantId: TenantId, userId?: UserId): Promise<readonly WebSession[]>
  /** False when unknown, over, or of another tenant; of another person, where one is named. */
  end(tenantId: TenantId, id: string, userId?: UserId): Promise<boolean>
  /** Ends the one of this secret, whoever has it. */
  endSecret(secret: string): Promise<void>
  /**
   * A token `lt_...` that opens one session within LOGIN_TOKEN_MS; stored as a hash. Null when there is no such tenant;
   * the oldest where null is given.
   */
  mintLoginToken(tenantId: string | null): Promise<string | null>
  /** Deletes sessions and login tokens that are over; answers how many. */
  purge(): Promise<number>
}

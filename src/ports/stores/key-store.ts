import type { KeyScope } from '../../domain/api-key.ts'
import type { KeyCaller } from '../../domain/caller.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from './idempotency-store.ts'
import type { KeyId, NumberId, TenantId, WebSessionId } from '../../domain/ids.ts'

/** A key just made: only now is its raw text known without opening the sealed copy. */
export interface IssuedKey {
  readonly id: KeyId
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
  readonly scope: KeyScope
  readonly name: string
  readonly raw: string
  /** First 8 characters of the raw key ([keys.form.5]). */
  readonly prefix: string
  readonly last4: string
  readonly createdAt: Date
}

/** One row of GET /v1/api-keys ([keys.routes.4]). */
export interface KeyListItem {
  readonly numberId: NumberId
  readonly number: string
  readonly displayName: string
  readonly keyId: KeyId
  readonly keyLast4: string
  /** Null for keys stored without a sealed copy ([keys.routes.5]). */
  readonly key: string | null
}

/** The key of a tenant as its dashboard shows it: the key itself is told only when it is made. */
export type TenantKey = Pick<IssuedKey, 'id' | 'last4' | 'createdAt'>

/** The Idempotency-Key of a regeneration, and its first answer, which is stored with the new key. */
export interface RegenerationClaim {
  readonly request: IdempotentRequest
  readonly answer: (key: IssuedKey) => IdempotentAnswer
}

export type Regenerated =
  | { readonly kind: 'rotated'; readonly key: IssuedKey }
  /** The key was rotated away meanwhile. */
  | { readonly kind: 'gone' }
  /** The Idempotency-Key was used before: nothing was rotated. */
  | Exclude<IdempotencyStart, { kind: 'started' }>

export interface KeyStore {
  /** Finds a caller by the key's hash; null when unknown or rotated away. The key's form is checked before. */
  authenticateKey(raw: string): Promise<KeyCaller | null>
  authenticateKeyId(keyId: string): Promise<KeyCaller | null>
  list(tenantId: TenantId): Promise<KeyListItem[]>
  /** Null when there is no such tenant. */
  tenantKey(tenantId: TenantId): Promise<TenantKey | null>
  /** Replaces the number's default key; the old one is refused at once. Null when the number is not the tenant's. */
  rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null>
  /** Replaces the calling key itself, of either scope, and keeps the first answer with it: both or neither. */
  rotateOwnKey(keyId: KeyId, claim: RegenerationClaim | null): Promise<Regenerated>
  /**
   * Replaces the key of a tenant at the request of a session of its dashboard, and keeps the first answer with it: both
   * or neither. All other sessions that the key opened are over; this one goes on ([sessions.login.13]). `gone`: the
   * key was replaced before, which ended the session.
   */
  rotateKeyBySession(
    of: { readonly tenantId: TenantId; readonly sessionId: WebSessionId },
    claim: RegenerationClaim | null,
  ): Promise<Regenerated>
  /** Replaces the key of a tenant; null when there is no such tenant. */
  rotateTenantKey(tenantId: TenantId): Promise<IssuedKey | null>
  /**
   * Finds the caller to whom a replaced key, or key id, belonged: the key replaced itself with this Idempotency-Key at
   * most REGENERATED_REPEAT_MS ago ([rest.idempotency.6]). Null for any other.
   */
  findRegenerated(
    sent: { readonly raw: string } | { readonly keyId: string },
    idempotencyKey: string,
  ): Promise<KeyCaller | null>
}

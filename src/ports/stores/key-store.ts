import type { KeyScope } from '../../domain/api-key.ts'
import type { KeyCaller } from '../../domain/caller.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from './idempotency-store.ts'
import type { KeyId, NumberId, TenantId, WebSessionId } from '../../domain/ids.ts'

/** A key just made: the only moment its raw text is at hand without opening the sealed copy. */
export interface IssuedKey {
  readonly id: KeyId
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
  readonly scope: KeyScope
  readonly name: string
  readonly raw: string
  /** First 8 characters of the raw key (contract 2). */
  readonly prefix: string
  readonly last4: string
  readonly createdAt: Date
}

/** One row of GET /v1/api-keys (spec: API key list item). */
export interface KeyListItem {
  readonly numberId: NumberId
  readonly number: string
  readonly displayName: string
  readonly keyId: KeyId
  readonly keyLast4: string
  /** Null for keys stored without a sealed copy. */
  readonly key: string | null
}

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
  /** Look-up by hash; null when unknown or rotated away. The key's form is checked before. */
  authenticateKey(raw: string): Promise<KeyCaller | null>
  authenticateKeyId(keyId: string): Promise<KeyCaller | null>
  list(tenantId: TenantId): Promise<KeyListItem[]>
  /** Replaces the number's default key; the old one is refused at once. Null when the number is not the tenant's. */
  rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null>
  /** Replaces the calling key itself, either scope, and keeps the first answer with it: both or neither. */
  rotateOwnKey(keyId: KeyId, claim: RegenerationClaim | null): Promise<Regenerated>
  /**
   * Replaces the key of a tenant as a session of its dashboard asks, and keeps the first answer with it: both or
   * neither. All other sessions that were opened with the key are over; this one goes on (contract 19). `gone`: the key
   * was replaced before, and the session is over with it.
   */
  rotateKeyBySession(
    of: { readonly tenantId: TenantId; readonly sessionId: WebSessionId },
    claim: RegenerationClaim | null,
  ): Promise<Regenerated>
  /** Replaces the key of a tenant; null when there is no such tenant. */
  rotateTenantKey(tenantId: TenantId): Promise<IssuedKey | null>
  /**
   * Whom a key, or a key id, belonged to that replaced itself with this Idempotency-Key not longer than
   * REGENERATED_REPEAT_MS ago; null for any other.
   */
  findRegenerated(
    sent: { readonly raw: string } | { readonly keyId: string },
    idempotencyKey: string,
  ): Promise<KeyCaller | null>
}

import type { KeyId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Caller, KeyScope } from '../../domain/number.ts'

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

export interface KeyStore {
  /** Look-up by hash; null when unknown or rotated away. The key's form is checked before. */
  authenticateKey(raw: string): Promise<Caller | null>
  authenticateKeyId(keyId: string): Promise<Caller | null>
  list(tenantId: TenantId): Promise<KeyListItem[]>
  /** Replaces the number's default key; the old one is refused at once. Null when the number is not the tenant's. */
  rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null>
  /** Replaces the calling key itself, either scope. Null when it was rotated away meanwhile. */
  rotateOwnKey(keyId: KeyId): Promise<IssuedKey | null>
}

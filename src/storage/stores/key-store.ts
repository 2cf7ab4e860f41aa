import { timingSafeEqual } from 'node:crypto'
import type { KeyId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Caller, KeyScope, ProviderKind } from '../../domain/number.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { IssuedKey, KeyListItem, KeyStore } from '../../ports/stores/key-store.ts'
import type { Database, SqlParameter } from '../database.ts'
import { KEY_COLUMNS, makeKey, openKey, openKeyId, type KeyMaterial } from '../key-material.ts'
import { digestOf } from '../rows.ts'

/** Requests a minute of a tenant that has no limits of its own (contract 2). */
export interface RequestLimits {
  readonly requestsPerMinute: number
  readonly sendsPerMinute: number
}

interface CallerRow {
  readonly id_hash: string
  readonly key_hash: string
  readonly sealed_id: string
  readonly tenant_id: TenantId
  readonly number_id: NumberId | null
  readonly scope: KeyScope
  readonly provider: ProviderKind | null
  readonly number: string | null
  readonly requests_per_minute: number | null
  readonly sends_per_minute: number | null
}

const CALLER = `select k.id_hash, k.key_hash, k.sealed_id, k.tenant_id, k.number_id, k.scope, n.provider, n.number, t.requests_per_minute, t.sends_per_minute
  from api_keys k join tenants t on t.id = k.tenant_id left join channel_numbers n on n.id = k.number_id`

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

interface RotatedRow {
  readonly tenant_id: TenantId
  readonly number_id: NumberId | null
  readonly scope: KeyScope
  readonly name: string
}

/** API keys: found by hash, shown from a sealed copy (contract 2). A rotated key is refused by the next look-up. */
export class SqlKeyStore implements KeyStore {
  #database: Database
  #cipher: Cipher
  #clock: Clock
  #limits: RequestLimits

  constructor(database: Database, cipher: Cipher, clock: Clock, limits: RequestLimits) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#limits = limits
  }

  async authenticateKey(raw: string): Promise<Caller | null> {
    const digest = digestOf(raw)
    const rows = await this.#database.query<CallerRow>(`${CALLER} where k.key_hash = $1`, [digest])
    const row = rows[0]
    return row && isSameDigest(row.key_hash, digest) ? this.#toCaller(row) : null
  }

  async authenticateKeyId(keyId: string): Promise<Caller | null> {
    const digest = digestOf(keyId)
    const rows = await this.#database.query<CallerRow>(`${CALLER} where k.id_hash = $1`, [digest])
    const row = rows[0]
    return row && isSameDigest(row.id_hash, digest) ? this.#toCaller(row) : null
  }

  async list(tenantId: TenantId): Promise<KeyListItem[]> {
    const rows = await this.#database.query<{
      id: NumberId, number: string, name: string, id_hash: string, sealed_id: string, sealed_key: string | null, last4: string
    }>(`select n.id, n.number, n.name, k.id_hash, k.sealed_id, k.sealed_key, k.last4
        from channel_numbers n join api_keys k on k.number_id = n.id
        where n.tenant_id = $1 and k.tenant_id = $1 order by n.created_at, n.id`, [tenantId])
    return rows.map((row) => ({
      numberId: row.id, number: row.number, displayName: row.name,
      keyId: openKeyId(this.#cipher, row.id_hash, row.sealed_id), keyLast4: row.last4, key: openKey(this.#cipher, row.id_hash, row.sealed_key),
    }))
  }

  async rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null> {
    return this.#rotate((at) => `number_id = $${at} and tenant_id = $${at + 1}`, [numberId, tenantId])
  }

  async rotateOwnKey(keyId: KeyId): Promise<IssuedKey | null> {
    return this.#rotate((at) => `id_hash = $${at}`, [digestOf(keyId)])
  }

  /** Replaces hash and sealed copy in the row itself: one statement, so no moment has both keys or none. */
  async #rotate(where: (at: number) => string, values: readonly SqlParameter[]): Promise<IssuedKey | null> {
    const key = makeKey(this.#cipher)
    const createdAt = new Date(this.#clock.now())
    const sets = KEY_COLUMNS.map((column, index) => `${column} = $${index + 1}`)
    const at = KEY_COLUMNS.length + 1
    const rows = await this.#database.query<RotatedRow>(
      `update api_keys set ${sets.join(', ')}, created_at = $${at}::timestamptz where ${where(at + 1)} returning tenant_id, number_id, scope, name`,
      [...key.columns, createdAt.toISOString(), ...values])
    return rows[0] ? toIssued(key, rows[0], createdAt) : null
  }

  #toCaller(row: CallerRow): Caller {
    return {
      keyId: openKeyId(this.#cipher, row.id_hash, row.sealed_id), tenantId: row.tenant_id, scope: row.scope, numberId: row.number_id,
      provider: row.provider, number: row.number,
      requestsPerMinute: row.requests_per_minute ?? this.#limits.requestsPerMinute,
      sendsPerMinute: row.sends_per_minute ?? this.#limits.sendsPerMinute,
    }
  }
}

function toIssued(key: KeyMaterial, row: RotatedRow, createdAt: Date): IssuedKey {
  return {
    id: key.id, tenantId: row.tenant_id, numberId: row.number_id, scope: row.scope, name: row.name,
    raw: key.raw, prefix: key.prefix, last4: key.last4, createdAt,
  }
}

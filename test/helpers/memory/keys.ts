import { generateApiKey, keyLast4, keyPrefix } from '../../../src/domain/api-key.ts'
import type { KeyCaller, Reach } from '../../../src/domain/caller.ts'
import {
  newId,
  newSecretId,
  type KeyId,
  type NumberId,
  type TenantId,
  type WebSessionId,
} from '../../../src/domain/ids.ts'
import { REGENERATED_REPEAT_MS, REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from '../../../src/domain/limits.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  IssuedKey,
  KeyListItem,
  KeyStore,
  Regenerated,
  RegenerationClaim,
  TenantKey,
} from '../../../src/ports/stores/key-store.ts'
import type { ListedTenant, TenantStore } from '../../../src/ports/stores/tenant-store.ts'
import type { MemoryIdempotency } from './idempotency.ts'
import type { MemoryRows } from './rows.ts'
import type { MemoryWebSessions } from './web-sessions.ts'

/** API keys in memory; `lookUps` counts the calls that reached the store. */
export class MemoryKeys implements KeyStore {
  lookUps = 0
  /** The limits of tenants without their own. */
  requestsPerMinute = REQUESTS_PER_MINUTE
  sendsPerMinute = SENDS_PER_MINUTE
  /** The store of first answers; null when they are not kept. */
  answers: MemoryIdempotency | null = null
  /** Sessions of the dashboard; null when there are none. */
  sessions: MemoryWebSessions | null = null
  /** Replaced keys, by the id of the key that replaced them. */
  readonly #replaced = new Map<
    KeyId,
    { readonly old: IssuedKey; readonly key: IssuedKey; readonly replacedWith: string; readonly atMs: number }
  >()
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  issue(tenantId: TenantId, numberId: NumberId | null, raw: string = generateApiKey()): IssuedKey {
    const scope = numberId === null ? 'TENANT' : 'NUMBER'
    const key: IssuedKey = {
      id: newSecretId('key'),
      tenantId,
      numberId,
      scope,
      name: numberId === null ? 'Tenant' : 'Default',
      raw,
      prefix: keyPrefix(raw),
      last4: keyLast4(raw),
      createdAt: new Date(this.#clock.now()),
    }
    this.#rows.keys.set(raw, key)
    return key
  }

  async authenticateKey(raw: string): Promise<KeyCaller | null> {
    this.lookUps++
    return this.#callerOf(this.#rows.keys.get(raw))
  }

  async authenticateKeyId(keyId: string): Promise<KeyCaller | null> {
    this.lookUps++
    return this.#callerOf([...this.#rows.keys.values()].find((key) => key.id === keyId))
  }

  async list(tenantId: TenantId): Promise<KeyListItem[]> {
    return [...this.#rows.keys.values()].flatMap((key) => {
      const number = key.numberId === null ? undefined : this.#rows.numbers.get(key.numberId)
      if (key.tenantId !== tenantId || !number) return []
      return [
        {
          numberId: number.id,
          number: number.number,
          displayName: number.name,
          keyId: key.id,
          keyLast4: key.last4,
          key: key.raw,
        },
      ]
    })
  }

  async tenantKey(tenantId: TenantId): Promise<TenantKey | null> {
    const key = [...this.#rows.keys.values()].find((one) => one.tenantId === tenantId && one.scope === 'TENANT')
    return key ? { id: key.id, last4: key.last4, createdAt: key.createdAt } : null
  }

  async rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null> {
    return this.#rotate((key) => key.tenantId === tenantId && key.numberId === numberId)
  }

  async rotateTenantKey(tenantId: TenantId): Promise<IssuedKey | null> {
    return this.#rotate((key) => key.tenantId === tenantId && key.scope === 'TENANT')
  }

  async rotateOwnKey(keyId: KeyId, claim: RegenerationClaim | null): Promise<Regenerated> {
    const old = [...this.#rows.keys.values()].find((key) => key.id === keyId)
    if (!old) return { kind: 'gone' }
    // No other request runs between these two, because their promises are settled already.
    const start = claim && this.answers ? await this.answers.start(claim.request) : null
    if (start && start.kind !== 'started') return start
    const key = this.#rotate(({ id }) => id === keyId)
    if (!key) return { kind: 'gone' }
    if (claim) {
      await this.answers?.finish(claim.request, claim.answer(key))
      this.#replaced.set(key.id, { old, key, replacedWith: claim.request.key, atMs: this.#clock.now() })
    }
    return { kind: 'rotated', key }
  }

  async rotateKeyBySession(
    { tenantId, sessionId }: { readonly tenantId: TenantId; readonly sessionId: WebSessionId },
    claim: RegenerationClaim | null,
  ): Promise<Regenerated> {
    const keyId = this.sessions?.keyOf(sessionId)
    const key = [...this.#rows.keys.values()].find((one) => one.id === keyId && one.tenantId === tenantId)
    if (!key) return { kind: 'gone' }
    const regenerated = await this.rotateOwnKey(key.id, claim)
    if (regenerated.kind === 'rotated') this.sessions?.moveTo(sessionId, regenerated.key.id)
    return regenerated
  }

  async findRegenerated(
    sent: { readonly raw: string } | { readonly keyId: string },
    idempotencyKey: string,
  ): Promise<KeyCaller | null> {
    const found = [...this.#replaced.values()].find(({ old }) =>
      'raw' in sent ? old.raw === sent.raw : old.id === sent.keyId,
    )
    if (!found || found.replacedWith !== idempotencyKey || this.#clock.now() - found.atMs >= REGENERATED_REPEAT_MS)
      return null
    return this.#callerOf(this.#rows.keys.get(found.key.raw))
  }

  #rotate(isWanted: (key: IssuedKey) => boolean): IssuedKey | null {
    const old = [...this.#rows.keys.values()].find(isWanted)
    if (!old) return null
    this.#rows.keys.delete(old.raw)
    this.#replaced.delete(old.id)
    return this.issue(old.tenantId, old.numberId)
  }

  #callerOf(key: IssuedKey | undefined): KeyCaller | null {
    if (!key) return null
    const { id, tenantId, numberId } = key
    const requestsPerMinute = this.#rows.tenants.get(tenantId)?.requestsPerMinute ?? this.requestsPerMinute
    return {
      id,
      by: 'key',
      tenantId,
      reach: this.#reachOf(numberId),
      permissions: 'all',
      limits: { requestsPerMinute, sendsPerMinute: this.sendsPerMinute },
    }
  }

  /** Kind and digits of the number as they are now, because tests change them after the key was made. */
  #reachOf(numberId: NumberId | null): Reach {
    if (numberId === null) return { at: 'tenant' }
    const row = this.#rows.numbers.get(numberId)
    return row
      ? { at: 'number', number: { id: row.id, tenantId: row.tenantId, provider: row.provider, number: row.number } }
      : { at: 'nowhere' }
  }
}

/** Tenants in memory. */
export class MemoryTenants implements TenantStore {
  readonly #rows: MemoryRows
  readonly #keys: MemoryKeys

  constructor(rows: MemoryRows, keys: MemoryKeys) {
    this.#rows = rows
    this.#keys = keys
  }

  async create(name: string, rawKey?: string): Promise<{ tenantId: TenantId; key: string }> {
    if (rawKey !== undefined && this.#rows.keys.has(rawKey)) throw new Error('the key exists already')
    const tenantId = newId('ten')
    this.#rows.tenants.set(tenantId, { name })
    return { tenantId, key: this.#keys.issue(tenantId, null, rawKey).raw }
  }

  async list(): Promise<ListedTenant[]> {
    return [...this.#rows.tenants].map(([tenantId, { name = '' }]) => {
      const own = [...this.#rows.keys.values()].filter((key) => key.tenantId === tenantId)
      return {
        tenantId,
        name,
        createdAt: (own[0]?.createdAt ?? new Date(0)).toISOString(),
        numbers: own.filter(({ numberId }) => numberId !== null).length,
      }
    })
  }

  async isEmpty(): Promise<boolean> {
    return this.#rows.tenants.size === 0
  }
}

import { timingSafeEqual } from 'node:crypto'
import type { KeyCaller, Reach } from '../../domain/caller.ts'
import type { KeyId, NumberId, TenantId, WebSessionId } from '../../domain/ids.ts'
import { REGENERATED_REPEAT_MS } from '../../domain/limits.ts'
import type { IssuedKey, KeyListItem, KeyStore, Regenerated, RegenerationClaim } from '../../ports/stores/key-store.ts'
import type { SqlParameter, SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { claimKey, findClaim } from '../idempotency/store.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { LIMITS, limitsOf } from '../tenants/limits.ts'
import { ApiKeyEntity } from './entity.ts'
import { KEY_COLUMNS, makeKey, openKey, openKeyId, type KeyMaterial } from './material.ts'

const KEYS = rowsOf(ApiKeyEntity).only('idHash', 'keyHash', 'sealedId', 'tenantId', 'numberId', 'scope')
const NUMBERS = rowsOf(ChannelNumberEntity).only('number', 'provider')
const ISSUED = rowsOf(ApiKeyEntity).only('tenantId', 'numberId', 'scope', 'name')

/** A key, its number where it has one, and the limits of its tenant. */
type CallerRow = RowIn<typeof KEYS> & RowIn<typeof LIMITS> & { readonly [Column in keyof RowIn<typeof NUMBERS>]: RowIn<typeof NUMBERS>[Column] | null }

const CALLER = `select ${KEYS.list('k')}, ${NUMBERS.list('n')}, ${LIMITS.list('t')}
  from api_keys k join tenants t on t.id = k.tenant_id left join channel_numbers n on n.id = k.number_id`

/** What an update keeps of the key it replaces. */
const REMEMBER_REPLACED = ['replaced_key_hash = key_hash', 'replaced_id_hash = id_hash', `replaced_at = $${KEY_COLUMNS.length + 1}::timestamptz`]
const FORGET_REPLACED = ['replaced_key_hash = null', 'replaced_id_hash = null', 'replaced_at = null']

/** The key that a session was opened with, if it is still the tenant's. Locked: of sessions that replace it at once one does. */
const LOCK_KEY_OF_SESSION = `select k.id_hash from api_keys k join web_sessions s on s.key_id_hash = k.id_hash
  where k.tenant_id = $1 and k.scope = 'TENANT' and s.tenant_id = $1 and s.id = $2 for update of k`
const KEEP_SESSION = 'update web_sessions set key_id_hash = $3 where id = $1 and key_id_hash = $2'

/** The Idempotency-Key of a regeneration was used before. */
const CLAIMED_BEFORE = new Error('the Idempotency-Key was claimed before')

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** API keys: found by hash, shown from a sealed copy (contract 2). A rotated key is refused by the next look-up. */
class SqlKeyStore implements KeyStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #limits: Engine['limits']

  constructor({ database, cipher, clock, limits }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'limits'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#limits = limits
  }

  async authenticateKey(raw: string): Promise<KeyCaller | null> {
    const digest = digestOf(raw)
    const rows = await this.#database.query<CallerRow>(`${CALLER} where k.key_hash = $1`, [digest])
    const row = rows[0]
    return row && isSameDigest(row.key_hash, digest) ? this.#toCaller(row) : null
  }

  async authenticateKeyId(keyId: string): Promise<KeyCaller | null> {
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

  async findRegenerated(sent: Parameters<KeyStore['findRegenerated']>[0], idempotencyKey: string): Promise<KeyCaller | null> {
    const [column, secret] = 'raw' in sent ? ['replaced_key_hash', sent.raw] : ['replaced_id_hash', sent.keyId]
    const since = new Date(this.#clock.now() - REGENERATED_REPEAT_MS).toISOString()
    const rows = await this.#database.query<CallerRow>(`${CALLER} where k.${column} = $1 and k.replaced_with = $2 and k.replaced_at > $3::timestamptz`,
      [digestOf(secret), idempotencyKey, since])
    return rows[0] ? this.#toCaller(rows[0]) : null
  }

  rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null> {
    return this.#rotate(this.#database, (at) => `number_id = $${at} and tenant_id = $${at + 1}`, [numberId, tenantId])
  }

  rotateTenantKey(tenantId: TenantId): Promise<IssuedKey | null> {
    return this.#rotate(this.#database, (at) => `tenant_id = $${at} and scope = 'TENANT'`, [tenantId])
  }

  rotateOwnKey(keyId: KeyId, claim: RegenerationClaim | null): Promise<Regenerated> {
    return this.#regenerated((session) => this.#regenerate(session, digestOf(keyId), claim), claim)
  }

  rotateKeyBySession({ tenantId, sessionId }: { readonly tenantId: TenantId, readonly sessionId: WebSessionId }, claim: RegenerationClaim | null): Promise<Regenerated> {
    return this.#regenerated(async (session) => {
      const [asking] = await session.query<{ readonly id_hash: string }>(LOCK_KEY_OF_SESSION, [tenantId, sessionId])
      // Asked twice at once with one Idempotency-Key: the first answer is there.
      if (!asking) return claim && await findClaim(session, this.#cipher, claim.request) || { kind: 'gone' }
      const regenerated = await this.#regenerate(session, asking.id_hash, claim)
      if (regenerated.kind === 'rotated') await session.query(KEEP_SESSION, [sessionId, asking.id_hash, digestOf(regenerated.key.id)])
      return regenerated
    }, claim)
  }

  async #regenerated(work: (session: SqlSession) => Promise<Regenerated>, claim: RegenerationClaim | null): Promise<Regenerated> {
    try {
      return await this.#database.transaction(work)
    } catch (error) {
      if (claim === null || error !== CLAIMED_BEFORE) throw error
      return await findClaim(this.#database, this.#cipher, claim.request) ?? { kind: 'running' }
    }
  }

  async #regenerate(session: SqlSession, idHash: string, claim: RegenerationClaim | null): Promise<Regenerated> {
    const key = await this.#rotate(session, (at) => `id_hash = $${at}`, [idHash], claim?.request.key)
    if (!key) return { kind: 'gone' }
    // Thrown, so that the rotation is undone.
    if (claim && !await claimKey(session, this.#cipher, claim.request, claim.answer(key), key.createdAt.getTime())) throw CLAIMED_BEFORE
    return { kind: 'rotated', key }
  }

  /**
   * Replaces hash and sealed copy in the row itself: one statement, so no moment has both keys or none. The key before is remembered
   * where it replaced itself `with` an Idempotency-Key, and forgotten by any other rotation.
   */
  async #rotate(session: SqlSession, where: (at: number) => string, values: readonly SqlParameter[], replacedWith?: string): Promise<IssuedKey | null> {
    const key = makeKey(this.#cipher)
    const createdAt = new Date(this.#clock.now())
    const sets = KEY_COLUMNS.map((column, index) => `${column} = $${index + 1}`)
    const at = KEY_COLUMNS.length + 1
    sets.push(`created_at = $${at}::timestamptz`, `replaced_with = $${at + 1}`, ...(replacedWith === undefined ? FORGET_REPLACED : REMEMBER_REPLACED))
    const rows = await session.query<RowIn<typeof ISSUED>>(
      `update api_keys set ${sets.join(', ')} where ${where(at + 2)} returning ${ISSUED.list()}`,
      [...key.columns, createdAt.toISOString(), replacedWith ?? null, ...values])
    return rows[0] ? toIssued(key, rows[0], createdAt) : null
  }

  #toCaller(row: CallerRow): KeyCaller {
    return {
      id: openKeyId(this.#cipher, row.id_hash, row.sealed_id), by: 'key', tenantId: row.tenant_id, reach: reachOf(row), permissions: 'all',
      limits: limitsOf(row, this.#limits),
    }
  }
}

/** API keys over an open database. */
export function openKeys(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'limits'>): { readonly keys: KeyStore } {
  return { keys: new SqlKeyStore(engine) }
}

function reachOf({ scope, tenant_id: tenantId, number_id: id, provider, number }: CallerRow): Reach {
  if (scope === 'TENANT') return { at: 'tenant' }
  return id === null || provider === null || number === null ? { at: 'nowhere' } : { at: 'number', number: { id, tenantId, provider, number } }
}

function toIssued(key: KeyMaterial, row: RowIn<typeof ISSUED>, createdAt: Date): IssuedKey {
  return {
    ...ISSUED.read(row), id: key.id,
    raw: key.raw, prefix: key.prefix, last4: key.last4, createdAt,
  }
}

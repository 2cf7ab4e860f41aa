import { raw } from '@mikro-orm/core'
import { timingSafeEqual } from 'node:crypto'
import type { KeyCaller, Reach } from '../../domain/caller.ts'
import type { KeyId, NumberId, TenantId, WebSessionId } from '../../domain/ids.ts'
import { REGENERATED_REPEAT_MS } from '../../domain/limits.ts'
import type {
  IssuedKey,
  KeyListItem,
  KeyStore,
  Regenerated,
  RegenerationClaim,
  TenantKey,
} from '../../ports/stores/key-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { rowsOf, type RecordOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { EVERYBODY, type Scope } from '../engine/scope.ts'
import { claimKey, findClaim } from '../idempotency/store.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { LIMITS, limitsOf } from '../tenants/limits.ts'
import { WebSessionEntity } from '../web-sessions/entity.ts'
import { ApiKeyEntity } from './entity.ts'
import { makeKey, openKey, openKeyId } from './material.ts'

const KEYS = rowsOf(ApiKeyEntity).only('idHash', 'keyHash', 'sealedId', 'tenantId', 'numberId', 'scope')
const NUMBERS = rowsOf(ChannelNumberEntity).only('number', 'provider')

type KeyRecord = RecordOf<typeof ApiKeyEntity>

/** A key, its number when it has one, and the limits of its tenant. */
type CallerRow = RowIn<typeof KEYS>
  & RowIn<typeof LIMITS> & { readonly [Column in keyof RowIn<typeof NUMBERS>]: RowIn<typeof NUMBERS>[Column] | null }

const CALLER = `select ${KEYS.list('k')}, ${NUMBERS.list('n')}, ${LIMITS.list('t')}
  from api_keys k join tenants t on t.id = k.tenant_id left join channel_numbers n on n.id = k.number_id`

/** Columns that keep the hashes of the replaced key. */
const REMEMBER_REPLACED = { replacedKeyHash: raw('key_hash'), replacedIdHash: raw('id_hash') }
const FORGET_REPLACED = { replacedKeyHash: null, replacedIdHash: null, replacedAt: null, replacedWith: null }

/**
 * Finds the key that a session was opened with, while it is still the tenant's. It is locked, so that of several
 * sessions that replace it at once only one does.
 */
const LOCK_KEY_OF_SESSION = `select k.id_hash from api_keys k join web_sessions s on s.key_id_hash = k.id_hash
  where k.tenant_id = $1 and k.scope = 'TENANT' and s.tenant_id = $1 and s.id = $2 for update of k`

/** Thrown when the Idempotency-Key of a regeneration was used before. */
const CLAIMED_BEFORE = new Error('the Idempotency-Key was claimed before')

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** API keys: found by hash, shown from a sealed copy ([keys.form.4]). The next look-up refuses a rotated key. */
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
    const rows = this.#database.entities({ tenantId })
    const [numbers, keys] = await Promise.all([
      rows.read(ChannelNumberEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } }),
      rows.read(ApiKeyEntity, { scope: 'NUMBER' }),
    ])
    const keyOf = new Map(keys.map((key) => [key.numberId, key]))
    return numbers.flatMap(({ id, number, name }) => {
      const key = keyOf.get(id)
      return key
        ? {
            numberId: id,
            number,
            displayName: name,
            keyId: openKeyId(this.#cipher, key.idHash, key.sealedId),
            keyLast4: key.last4,
            key: openKey(this.#cipher, key.idHash, key.sealedKey),
          }
        : []
    })
  }

  async tenantKey(tenantId: TenantId): Promise<TenantKey | null> {
    const key = await this.#database.entities({ tenantId }).readOne(ApiKeyEntity, { scope: 'TENANT' })
    return key && { id: openKeyId(this.#cipher, key.idHash, key.sealedId), last4: key.last4, createdAt: key.createdAt }
  }

  async findRegenerated(
    sent: Parameters<KeyStore['findRegenerated']>[0],
    idempotencyKey: string,
  ): Promise<KeyCaller | null> {
    const [column, secret] = 'raw' in sent ? ['replaced_key_hash', sent.raw] : ['replaced_id_hash', sent.keyId]
    const since = new Date(this.#clock.now() - REGENERATED_REPEAT_MS).toISOString()
    const rows = await this.#database.query<CallerRow>(
      `${CALLER} where k.${column} = $1 and k.replaced_with = $2 and k.replaced_at > $3::timestamptz`,
      [digestOf(secret), idempotencyKey, since],
    )
    return rows[0] ? this.#toCaller(rows[0]) : null
  }

  rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null> {
    return this.#rotate(this.#database.entities({ tenantId }), { numberId })
  }

  rotateTenantKey(tenantId: TenantId): Promise<IssuedKey | null> {
    return this.#rotate(this.#database.entities({ tenantId }), { scope: 'TENANT' })
  }

  rotateOwnKey(keyId: KeyId, claim: RegenerationClaim | null): Promise<Regenerated> {
    return this.#regenerated(
      EVERYBODY,
      (rows, session) => this.#regenerate(rows, session, digestOf(keyId), claim),
      claim,
    )
  }

  rotateKeyBySession(
    { tenantId, sessionId }: { readonly tenantId: TenantId; readonly sessionId: WebSessionId },
    claim: RegenerationClaim | null,
  ): Promise<Regenerated> {
    return this.#regenerated(
      { tenantId },
      async (rows, session) => {
        const [asking] = await session.query<{ readonly id_hash: string }>(LOCK_KEY_OF_SESSION, [tenantId, sessionId])
        // The session asked twice at once with one Idempotency-Key: the first answer is stored.
        if (!asking) return (claim && (await findClaim(session, this.#cipher, claim.request))) || { kind: 'gone' }
        const regenerated = await this.#regenerate(rows, session, asking.id_hash, claim)
        if (regenerated.kind === 'rotated')
          await rows.changed(
            WebSessionEntity,
            { id: sessionId, keyIdHash: asking.id_hash },
            { keyIdHash: digestOf(regenerated.key.id) },
          )
        return regenerated
      },
      claim,
    )
  }

  async #regenerated(
    scope: Scope,
    work: (rows: UnitManager, session: SqlSession) => Promise<Regenerated>,
    claim: RegenerationClaim | null,
  ): Promise<Regenerated> {
    try {
      return await this.#database.unitOfWork(scope, work)
    } catch (error) {
      if (claim === null || error !== CLAIMED_BEFORE) throw error
      return (await findClaim(this.#database, this.#cipher, claim.request)) ?? { kind: 'running' }
    }
  }

  async #regenerate(
    rows: UnitManager,
    session: SqlSession,
    idHash: string,
    claim: RegenerationClaim | null,
  ): Promise<Regenerated> {
    const key = await this.#rotate(rows, { idHash }, claim?.request.key)
    if (!key) return { kind: 'gone' }
    // The throw undoes the rotation.
    if (claim && !(await claimKey(session, this.#cipher, claim.request, claim.answer(key), key.createdAt.getTime())))
      throw CLAIMED_BEFORE
    return { kind: 'rotated', key }
  }

  /**
   * Replaces hashes and sealed copies in the row itself: one statement, so at no moment are both keys valid, or
   * neither. The replaced key is remembered when it replaced itself with an Idempotency-Key (`replacedWith`); any other
   * rotation forgets it.
   */
  async #rotate(
    rows: UnitManager,
    where: Partial<Pick<KeyRecord, 'idHash' | 'numberId' | 'scope'>>,
    replacedWith?: string,
  ): Promise<IssuedKey | null> {
    const { id, raw: key, prefix, last4, stored } = makeKey(this.#cipher)
    const createdAt = new Date(this.#clock.now())
    const [row] = await rows.updated(ApiKeyEntity, where, {
      ...stored,
      createdAt,
      ...(replacedWith === undefined ? FORGET_REPLACED : { ...REMEMBER_REPLACED, replacedWith, replacedAt: createdAt }),
    })
    if (!row) return null
    const { tenantId, numberId, scope, name } = row
    return { id, tenantId, numberId, scope, name, raw: key, prefix, last4, createdAt }
  }

  #toCaller(row: CallerRow): KeyCaller {
    return {
      id: openKeyId(this.#cipher, row.id_hash, row.sealed_id),
      by: 'key',
      tenantId: row.tenant_id,
      reach: reachOf(row),
      permissions: 'all',
      limits: limitsOf(row, this.#limits),
    }
  }
}

/** API keys over an open database. */
export function openKeys(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'limits'>): {
  readonly keys: KeyStore
} {
  return { keys: new SqlKeyStore(engine) }
}

function reachOf({ scope, tenant_id: tenantId, number_id: id, provider, number }: CallerRow): Reach {
  if (scope === 'TENANT') return { at: 'tenant' }
  return id === null || provider === null || number === null
    ? { at: 'nowhere' }
    : { at: 'number', number: { id, tenantId, provider, number } }
}

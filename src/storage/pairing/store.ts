import { newSecretId, type NumberId, type PairingToken } from '../../domain/ids.ts'
import { LINK_KEPT_MS, type LinkOver } from '../../domain/pairing.ts'
import type { FoundLink, PairingLink, PairingStore } from '../../ports/stores/pairing-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { PairingLinkEntity } from './entity.ts'

const LINKS = rowsOf(PairingLinkEntity).only('tenantId', 'numberId', 'branding', 'redirectUrl', 'expiresAt')
/** `over_reason`: of one that nobody ended, too. */
type LinkRow = RowIn<typeof LINKS> & { readonly over_reason: LinkOver | null }

/**
 * Connect links: one live link a number, known by the hash of its token only (contract 3); those that are over stay for
 * 30 days (contract 16).
 */
class SqlPairingStore implements PairingStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /** Throws when the number is not the tenant's. */
  async issue(link: PairingLink): Promise<PairingToken> {
    const token = newSecretId('rp')
    const branding = link.branding === null ? null : JSON.stringify(link.branding)
    // The row of the number is locked first, so that of two links made at once one revokes the other.
    const rows = await this.#database.transaction(async (session) => {
      const [owned] = await session.query<{ is_blamed: boolean }>(
        `select state = 'CLOSE' and pairing_reason is not null as is_blamed
        from channel_numbers where id = $1 and tenant_id = $2 for update`,
        [link.numberId, link.tenantId],
      )
      if (!owned) return []
      if (owned.is_blamed)
        await session.query('update channel_numbers set pairing_reason = null where id = $1', [link.numberId])
      await session.query(
        `update pairing_links set over_at = $2::timestamptz, over_reason = case when expires_at <= $2::timestamptz then 'EXPIRED' else 'REVOKED' end
        where number_id = $1 and over_at is null`,
        [link.numberId, this.#now()],
      )
      return session.query(
        `insert into pairing_links (token_hash, number_id, tenant_id, branding, redirect_url, created_at, expires_at)
        values ($1, $2, $3, $4::jsonb, $5, $6::timestamptz, $7::timestamptz) returning number_id`,
        [
          digestOf(token),
          link.numberId,
          link.tenantId,
          branding,
          link.redirectUrl,
          this.#now(),
          link.expiresAt.toISOString(),
        ],
      )
    })
    if (rows.length === 0) throw new Error("the number of the new link is not the tenant's")
    return token
  }

  find(token: string): Promise<FoundLink | null> {
    return this.#findByHash(digestOf(token))
  }

  async findByHandle(handle: string): Promise<FoundLink | null> {
    return /^[\w-]{43}$/.test(handle) ? this.#findByHash(Buffer.from(handle, 'base64url').toString('hex')) : null
  }

  async consume(numberId: NumberId): Promise<void> {
    await this.#database.query(
      `update pairing_links set over_at = $2::timestamptz, over_reason = 'USED'
      where number_id = $1 and over_at is null and expires_at > $2::timestamptz`,
      [numberId, this.#now()],
    )
  }

  purge(): Promise<number> {
    return purgePast(this.#database, PairingLinkEntity, ['overAt', 'expiresAt'], this.#keptSince())
  }

  async #findByHash(hash: string): Promise<FoundLink | null> {
    const [row] = await this.#database.query<LinkRow>(
      `select ${LINKS.list()},
        case when over_at is null and expires_at <= $2::timestamptz then 'EXPIRED' else over_reason end over_reason
      from pairing_links where token_hash = $1 and coalesce(over_at, expires_at) > $3::timestamptz`,
      [hash, this.#now(), new Date(this.#keptSince()).toISOString()],
    )
    return row ? { ...LINKS.read(row), over: row.over_reason } : null
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }

  #keptSince(): number {
    return this.#clock.now() - LINK_KEPT_MS
  }
}

/** Connect links over an open database. */
export function openPairing(engine: Pick<Engine, 'database' | 'clock'>): { readonly pairing: PairingStore } {
  return { pairing: new SqlPairingStore(engine) }
}

import { newSecretId, type NumberId, type PairingToken } from '../../domain/ids.ts'
import type { FoundLink, PairingLink, PairingStore } from '../../ports/stores/pairing-store.ts'
import { PairingLinkEntity } from './entity.ts'
import type { Engine } from '../engine/engine.ts'
import { digestOf } from '../engine/rows.ts'

/** Connect links: one live link a number, known by the hash of its token only (contract 3). */
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
    const branding = link.branding === null || link.branding === undefined ? null : JSON.stringify(link.branding)
    const rows = await this.#database.query(`insert into pairing_links (number_id, tenant_id, token_hash, branding, redirect_url, expires_at)
      select id, tenant_id, $3, $4::jsonb, $5, $6::timestamptz from channel_numbers where id = $1 and tenant_id = $2
      on conflict (number_id) do update set token_hash = excluded.token_hash, branding = excluded.branding,
        redirect_url = excluded.redirect_url, expires_at = excluded.expires_at, consumed_at = null
      returning number_id`, [link.numberId, link.tenantId, digestOf(token), branding, link.redirectUrl, link.expiresAt.toISOString()])
    if (rows.length === 0) throw new Error('the number of the new link is not the tenant\'s')
    return token
  }

  async find(token: string): Promise<FoundLink | null> {
    const row = await this.#database.read((rows) => rows.findOne(PairingLinkEntity, { tokenHash: digestOf(token), expiresAt: { $gt: new Date(this.#clock.now()) } }))
    return row && {
      tenantId: row.tenantId, numberId: row.numberId, branding: row.branding ?? null, redirectUrl: row.redirectUrl ?? null,
      expiresAt: row.expiresAt, isUsed: (row.consumedAt ?? null) !== null,
    }
  }

  async consume(numberId: NumberId): Promise<void> {
    await this.#database.query('update pairing_links set consumed_at = $2::timestamptz where number_id = $1 and consumed_at is null', [numberId, new Date(this.#clock.now()).toISOString()])
  }
}

/** Connect links over an open database. */
export function openPairing(engine: Pick<Engine, 'database' | 'clock'>): { readonly pairing: PairingStore } {
  return { pairing: new SqlPairingStore(engine) }
}

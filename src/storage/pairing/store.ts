import { newSecretId, type NumberId, type PairingToken } from '../../domain/ids.ts'
import { LINK_KEPT_MS } from '../../domain/pairing.ts'
import type { FoundLink, PairingLink, PairingStore } from '../../ports/stores/pairing-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast } from '../engine/purge.ts'
import { digestOf } from '../engine/rows.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { PairingLinkEntity } from './entity.ts'

/**
 * Connect links. A number has one live link ([pairing.create.4]), known by the hash of its token only. A link that is
 * over stays for 30 days ([branding.precedence.8]).
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
    const { tenantId, numberId, branding, redirectUrl, expiresAt } = link
    const now = this.#now()
    await this.#database.unitOfWork({ tenantId }, async (rows) => {
      // The row of the number is locked first, so that of two links made at once one revokes the other.
      const number = await rows.readOne(ChannelNumberEntity, { id: numberId }, { lock: 'update' })
      if (!number) throw new Error("the number of the new link is not the tenant's")
      if (number.state === 'CLOSE' && number.pairingReason !== null)
        await rows.changed(ChannelNumberEntity, { id: numberId }, { pairingReason: null })
      const live = { numberId, overAt: null }
      const expired = { ...live, expiresAt: { $lte: now } }
      await rows.changed(PairingLinkEntity, expired, { overAt: now, overReason: 'EXPIRED' })
      await rows.changed(PairingLinkEntity, live, { overAt: now, overReason: 'REVOKED' })
      await rows.added(PairingLinkEntity, {
        tokenHash: digestOf(token),
        numberId,
        tenantId,
        branding,
        redirectUrl,
        createdAt: now,
        expiresAt,
      })
    })
    return token
  }

  find(token: string): Promise<FoundLink | null> {
    return this.#findByHash(digestOf(token))
  }

  async findByHandle(handle: string): Promise<FoundLink | null> {
    return /^[\w-]{43}$/.test(handle) ? this.#findByHash(Buffer.from(handle, 'base64url').toString('hex')) : null
  }

  async consume(numberId: NumberId): Promise<void> {
    const now = this.#now()
    await this.#database
      .entities()
      .changed(
        PairingLinkEntity,
        { numberId, overAt: null, expiresAt: { $gt: now } },
        { overAt: now, overReason: 'USED' },
      )
  }

  purge(): Promise<number> {
    return purgePast(this.#database, PairingLinkEntity, ['overAt', 'expiresAt'], this.#keptSince())
  }

  async #findByHash(hash: string): Promise<FoundLink | null> {
    const row = await this.#database.entities().readOne(PairingLinkEntity, { tokenHash: hash })
    if (!row) return null
    const { tenantId, numberId, branding, redirectUrl, expiresAt, overAt, overReason } = row
    if ((overAt ?? expiresAt).getTime() <= this.#keptSince()) return null
    // A link that nobody ended is over by its time.
    const isExpired = overAt === null && expiresAt <= this.#now()
    return { tenantId, numberId, branding, redirectUrl, expiresAt, over: isExpired ? 'EXPIRED' : overReason }
  }

  #now(): Date {
    return new Date(this.#clock.now())
  }

  #keptSince(): number {
    return this.#clock.now() - LINK_KEPT_MS
  }
}

/** Connect links over an open database. */
export function openPairing(engine: Pick<Engine, 'database' | 'clock'>): { readonly pairing: PairingStore } {
  return { pairing: new SqlPairingStore(engine) }
}

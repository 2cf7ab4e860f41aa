import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../../ports/official/pages.ts'
import type { AdAccess, AdStore, TakenAd } from '../../ports/stores/ad-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import type { RowIn } from '../engine/rows-of.ts'
import { ACCESS, GIVE_UP, HAS_DUE, POSTPONE, REFUSED, RESOLVED, SHARE, TAKE, TAKEN, TAKING } from './sql.ts'

type AccessRow = RowIn<typeof ACCESS>

const toTaken = TAKEN.reader({ leasedUntil: 'claim' })

/** Ads and ad access as rows. Tokens are sealed, and leave by `accessToken` alone. */
class SqlAdStore implements AdStore {
  readonly #database: Engine['database']
  readonly #cipher: Engine['cipher']
  readonly #clock: Engine['clock']
  readonly #onAds: Engine['onAds']

  constructor({ database, cipher, clock, onAds }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onAds'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onAds = onAds
  }

  /** Nodes take one after another, so that none misses what the other has under way. */
  async take(limit: number, perNumber: number, leaseMs: number): Promise<readonly TakenAd[]> {
    const [now, until] = [this.#iso(), this.#iso(leaseMs)]
    const due = await this.#database.query(HAS_DUE, [now])
    if (due.length === 0) return []
    const rows = await this.#database.transaction(async (session) => {
      await session.query(TAKING)
      return session.query<RowIn<typeof TAKEN> & { readonly tenant_id: TenantId }>(TAKE, [now, until, perNumber, limit])
    }, 'chore')
    return rows.map((row) => ({ ...toTaken(row), tenantId: row.tenant_id }))
  }

  async resolved(ad: TakenAd, { adName, adsetId, adsetName, campaignId, campaignName }: AdNames): Promise<void> {
    await this.#database.query(RESOLVED, [...claimOf(ad), this.#iso(), adName, adsetId, adsetName, campaignId, campaignName])
  }

  async refused(ad: TakenAd): Promise<void> {
    await this.#database.query(REFUSED, [...dueClaimOf(ad), this.#iso()])
  }

  async postpone(ad: TakenAd, dueAt: Date): Promise<void> {
    await this.#database.query(POSTPONE, [...dueClaimOf(ad), dueAt.toISOString()])
  }

  async giveUp(ad: TakenAd): Promise<void> {
    await this.#database.query(GIVE_UP, dueClaimOf(ad))
  }

  async access(tenantId: TenantId, numberId: NumberId): Promise<AdAccess | null> {
    const rows = await this.#database.query<AccessRow>(
      `select ${ACCESS.list('s')} from ad_access s join channel_numbers n on n.id = s.number_id where n.tenant_id = $1 and n.id = $2`, [tenantId, numberId])
    return rows[0] ? ACCESS.read(rows[0]) : null
  }

  async accessToken(numberId: NumberId): Promise<string | null> {
    const rows = await this.#database.query<{ sealed_token: string }>('select sealed_token from ad_access where number_id = $1', [numberId])
    return rows[0] ? this.#cipher.open(rows[0].sealed_token, adAccessContext(numberId)) : null
  }

  async share(tenantId: TenantId, numberId: NumberId, accessToken: string, adAccounts: readonly AdAccount[]): Promise<AdAccess | null> {
    const sealed = this.#cipher.seal(accessToken, adAccessContext(numberId))
    try {
      const rows = await despiteDeadlock(() => this.#database.query<AccessRow>(SHARE, [tenantId, numberId, sealed, JSON.stringify(adAccounts), this.#iso()]))
      if (!rows[0]) return null
      this.#onAds()
      return ACCESS.read(rows[0])
    } catch (error) {
      if (isOwnerGone(error)) return null
      throw error
    }
  }

  async unshare(tenantId: TenantId, numberId: NumberId): Promise<boolean> {
    const rows = await this.#database.query(
      'delete from ad_access s using channel_numbers n where n.id = s.number_id and n.tenant_id = $1 and n.id = $2 returning s.number_id', [tenantId, numberId])
    return rows.length > 0
  }

  #iso(inMs = 0): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

/** What the token of a shared account is sealed with: it opens in the row of its number alone. */
export function adAccessContext(numberId: NumberId): string {
  return `ad-access:${numberId}`
}

function claimOf({ numberId, adId, claim }: TakenAd): string[] {
  return [numberId, adId, claim.toISOString()]
}

function dueClaimOf(ad: TakenAd): string[] {
  return [...claimOf(ad), ad.dueAt.toISOString()]
}

/** Ads over an open database. */
export function openAds(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onAds'>): { readonly ads: AdStore } {
  return { ads: new SqlAdStore(engine) }
}

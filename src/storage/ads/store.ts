import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../../ports/official/pages.ts'
import type { AdAccess, AdStore, TakenAd } from '../../ports/stores/ad-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { toDate } from '../engine/rows.ts'
import { GIVE_UP, HAS_DUE, POSTPONE, REFUSED, RESOLVED, SHARE, TAKE, TAKING, type TakenRow } from './sql.ts'

interface AccessRow {
  readonly ad_accounts: string
  readonly checked_at: string
}

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
      return session.query<TakenRow>(TAKE, [now, until, perNumber, limit])
    }, 'chore')
    return rows.map((row) => ({
      tenantId: row.tenant_id, numberId: row.number_id, adId: row.ad_id, pageId: row.page_id, tries: row.tries, dueAt: toDate(row.due_at), claim: toDate(row.leased_until),
    }))
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
      'select s.ad_accounts, s.checked_at from ad_access s join channel_numbers n on n.id = s.number_id where n.tenant_id = $1 and n.id = $2', [tenantId, numberId])
    return rows[0] ? toAccess(rows[0]) : null
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
      return toAccess(rows[0])
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

/** A sealed token opens in the row of its number alone. */
/** What the token of a shared account is sealed with. */
export function adAccessContext(numberId: NumberId): string {
  return `ad-access:${numberId}`
}

function claimOf({ numberId, adId, claim }: TakenAd): string[] {
  return [numberId, adId, claim.toISOString()]
}

function dueClaimOf(ad: TakenAd): string[] {
  return [...claimOf(ad), ad.dueAt.toISOString()]
}

function toAccess(row: AccessRow): AdAccess {
  return { adAccounts: JSON.parse(row.ad_accounts) as AdAccount[], checkedAt: toDate(row.checked_at) }
}

/** Ads over an open database. */
export function openAds(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onAds'>): { readonly ads: AdStore } {
  return { ads: new SqlAdStore(engine) }
}

import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../../ports/official/pages.ts'
import type { AdAccess, AdStore, TakenAd } from '../../ports/stores/ad-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { AdAccessEntity, AdEntity } from './entity.ts'

/** Names are cached for 24 h ([referrals.names.4]); a refusal is asked again after an hour ([referrals.names.6]). */
const CACHED_FOR = `interval '24 hours'`
const REFUSED_FOR = `interval '1 hour'`

/**
 * SQL of the CTE `wanted_ads`. It makes the ads that the query `clicks` lists (`number_id, ad_id, page_id`; the page is
 * that of a lead, else null) due, unless their names are known well enough or are being asked for. `now` is the time
 * parameter. `names_resolved_at` of an ad that is asked for again stays set meanwhile.
 */
export function wantAdsCte(clicks: string, now: string): string {
  return `wanted_ads as (
      insert into ads as a (number_id, ad_id, page_id, clicked_at, due_at)
      select number_id, ad_id, max(page_id), ${now}::timestamptz, ${now}::timestamptz from (${clicks}) clicks where ad_id is not null group by number_id, ad_id order by number_id, ad_id
      on conflict (number_id, ad_id) do update set clicked_at = excluded.clicked_at, page_id = coalesce(excluded.page_id, a.page_id),
        tries = case when a.due_at is null then 0 else a.tries end,
        due_at = case when a.due_at is not null then a.due_at
          when a.asked_at is null or a.asked_at < ${now}::timestamptz - case when a.is_refused then ${REFUSED_FOR} else ${CACHED_FOR} end then ${now}::timestamptz end
    )`
}

/** Columns read of ads that are taken, and of the ad access of numbers. */
const TAKEN = rowsOf(AdEntity)
  .only('numberId', 'adId', 'pageId', 'tries', 'dueAt', 'leasedUntil')
  .filled<'dueAt' | 'leasedUntil'>()
const ACCESS = rowsOf(AdAccessEntity).only('adAccounts', 'checkedAt')

/** One row when ads are due at `$1`. A node that finds none neither takes nor waits for the lock. */
const HAS_DUE =
  'select 1 from ads where due_at <= $1::timestamptz and (leased_until is null or leased_until <= $1::timestamptz) limit 1'

/** A lock on taking ads, held until the transaction ends. */
const TAKING = `select pg_advisory_xact_lock(hashtextextended('ads are taken in ' || current_schema(), 0))`

/**
 * Leases up to `$4` ads until `$2`, the longest due first, so many that no number has more than `$3` under way. `$1` is
 * the present.
 */
const TAKE = `with numbers as (
    select d.number_id, $3::integer - (select count(*) from ads l where l.number_id = d.number_id and l.leased_until > $1::timestamptz)::integer as room
    from (select distinct number_id from ads where due_at <= $1::timestamptz) d
  ), due as (
    select a.* from numbers cross join lateral (
      select number_id, ad_id, due_at from ads where number_id = numbers.number_id and due_at <= $1::timestamptz and (leased_until is null or leased_until <= $1::timestamptz)
      order by due_at limit greatest(numbers.room, 0) for update skip locked) a
    order by a.due_at, a.number_id, a.ad_id limit $4::integer
  )
  update ads a set leased_until = $2::timestamptz from due, channel_numbers n where a.number_id = due.number_id and a.ad_id = due.ad_id and n.id = a.number_id
  returning n.tenant_id, ${TAKEN.list('a')}`

/** The condition that finds ad `$2` of number `$1` while the claim `$3` is ours. */
const CLAIMED = 'number_id = $1 and ad_id = $2 and leased_until = $3::timestamptz'

/**
 * Columns that end an ask that was due at `$4` without names; `dueAt` is when the ad is due next. An ad that was made
 * due meanwhile stays due.
 */
function next(dueAt: string): string {
  return `leased_until = null, due_at = case when due_at = $4::timestamptz then ${dueAt} else due_at end`
}

/** `$4` is the present. */
const RESOLVED = `update ads set ad_name = $5, adset_id = $6, adset_name = $7, campaign_id = $8, campaign_name = $9, names_resolved_at = $4::timestamptz,
    asked_at = $4::timestamptz, is_refused = false, tries = 0, leased_until = null, due_at = null where ${CLAIMED}`

/** The ad's names, or their lack, are final from now on, unless they were before. */
const REFUSED = `update ads set names_resolved_at = coalesce(names_resolved_at, $5::timestamptz), asked_at = $5::timestamptz, is_refused = true, tries = 0, ${next('null')} where ${CLAIMED}`

/** Counts a try; the next is due at `$5`. */
const POSTPONE = `update ads set tries = tries + 1, ${next('$5::timestamptz')} where ${CLAIMED}`

const GIVE_UP = `update ads set tries = 0, ${next('null')} where ${CLAIMED}`

/** Ads clicked longer ago than this are not asked for again when their account is shared ([referrals.names.6]). */
const RECENT = `interval '90 days'`

/**
 * Shares a token with number `$2` of tenant `$1`. Ads that were refused or have no names yet are due now (`$5`); ads
 * that are being asked for are asked for once more.
 */
const SHARE = `with shared as (
    insert into ad_access as s (number_id, sealed_token, ad_accounts, checked_at) select id, $3, $4, $5::timestamptz from channel_numbers where tenant_id = $1 and id = $2
    on conflict (number_id) do update set sealed_token = excluded.sealed_token, ad_accounts = excluded.ad_accounts, checked_at = excluded.checked_at
    returning number_id, ${ACCESS.list()}
  ), again as (
    update ads set due_at = $5::timestamptz, tries = 0
    where number_id in (select number_id from shared) and (is_refused or names_resolved_at is null or due_at is not null) and clicked_at >= $5::timestamptz - ${RECENT}
  )
  select ${ACCESS.list()} from shared`

type AccessRow = RowIn<typeof ACCESS>

const toTaken = TAKEN.reader({ leasedUntil: 'claim' })

/** Ads and ad access as rows. Tokens are sealed, and only `accessToken` opens them. */
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

  /** Nodes take one after another, so that each counts what the others have under way. */
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
    await this.#database.query(RESOLVED, [
      ...claimOf(ad),
      this.#iso(),
      adName,
      adsetId,
      adsetName,
      campaignId,
      campaignName,
    ])
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
      `select ${ACCESS.list('s')} from ad_access s join channel_numbers n on n.id = s.number_id where n.tenant_id = $1 and n.id = $2`,
      [tenantId, numberId],
    )
    return rows[0] ? ACCESS.read(rows[0]) : null
  }

  async accessToken(numberId: NumberId): Promise<string | null> {
    const rows = await this.#database.query<{ sealed_token: string }>(
      'select sealed_token from ad_access where number_id = $1',
      [numberId],
    )
    return rows[0] ? this.#cipher.open(rows[0].sealed_token, adAccessContext(numberId)) : null
  }

  async share(
    tenantId: TenantId,
    numberId: NumberId,
    accessToken: string,
    adAccounts: readonly AdAccount[],
  ): Promise<AdAccess | null> {
    const sealed = this.#cipher.seal(accessToken, adAccessContext(numberId))
    try {
      const rows = await despiteDeadlock(() =>
        this.#database.query<AccessRow>(SHARE, [tenantId, numberId, sealed, JSON.stringify(adAccounts), this.#iso()]),
      )
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
      'delete from ad_access s using channel_numbers n where n.id = s.number_id and n.tenant_id = $1 and n.id = $2 returning s.number_id',
      [tenantId, numberId],
    )
    return rows.length > 0
  }

  #iso(inMs = 0): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

/** The context that the token of a shared account is sealed with: it opens in the row of its number alone. */
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

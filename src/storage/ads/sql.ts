import { rowsOf } from '../engine/rows-of.ts'
import { AdAccessEntity, AdEntity } from './entity.ts'

/** What is read of ads that are taken, and of what numbers were shared. */
export const TAKEN = rowsOf(AdEntity).only('numberId', 'adId', 'pageId', 'tries', 'dueAt', 'leasedUntil').filled<'dueAt' | 'leasedUntil'>()
export const ACCESS = rowsOf(AdAccessEntity).only('adAccounts', 'checkedAt')

/** One row where ads are due at `$1`: who finds none takes nothing, and waits for nobody. */
export const HAS_DUE = 'select 1 from ads where due_at <= $1::timestamptz and (leased_until is null or leased_until <= $1::timestamptz) limit 1'

/** Held until the transaction ends, by who takes ads. */
export const TAKING = `select pg_advisory_xact_lock(hashtextextended('ads are taken in ' || current_schema(), 0))`

/** Leases up to `$4` ads until `$2`, the longest due first, so many that no number has more than `$3` under way. `$1` is the present. */
export const TAKE = `with numbers as (
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

/** The ad `$2` of number `$1` while the claim `$3` is ours. */
const CLAIMED = 'number_id = $1 and ad_id = $2 and leased_until = $3::timestamptz'

/** What ends an ask that was due at `$4` without names: when it is due next. One that was made due meanwhile stays so. */
function next(dueAt: string): string {
  return `leased_until = null, due_at = case when due_at = $4::timestamptz then ${dueAt} else due_at end`
}

/** `$4` is the present. */
export const RESOLVED = `update ads set ad_name = $5, adset_id = $6, adset_name = $7, campaign_id = $8, campaign_name = $9, names_resolved_at = $4::timestamptz,
    asked_at = $4::timestamptz, is_refused = false, tries = 0, leased_until = null, due_at = null where ${CLAIMED}`

/** The names it has, or none, are final from now on, where they were not before. */
export const REFUSED = `update ads set names_resolved_at = coalesce(names_resolved_at, $5::timestamptz), asked_at = $5::timestamptz, is_refused = true, tries = 0, ${next('null')} where ${CLAIMED}`

/** Tried once more at `$5`. */
export const POSTPONE = `update ads set tries = tries + 1, ${next('$5::timestamptz')} where ${CLAIMED}`

export const GIVE_UP = `update ads set tries = 0, ${next('null')} where ${CLAIMED}`

/** contract 13, Names: ads that were clicked so long ago are not asked for again when their account is shared. */
const RECENT = `interval '90 days'`

/** Shares a token with number `$2` of tenant `$1`: ads that were refused, or have no names yet, are due now (`$5`), those that are being asked for once more. */
export const SHARE = `with shared as (
    insert into ad_access as s (number_id, sealed_token, ad_accounts, checked_at) select id, $3, $4, $5::timestamptz from channel_numbers where tenant_id = $1 and id = $2
    on conflict (number_id) do update set sealed_token = excluded.sealed_token, ad_accounts = excluded.ad_accounts, checked_at = excluded.checked_at
    returning number_id, ${ACCESS.list()}
  ), again as (
    update ads set due_at = $5::timestamptz, tries = 0
    where number_id in (select number_id from shared) and (is_refused or names_resolved_at is null or due_at is not null) and clicked_at >= $5::timestamptz - ${RECENT}
  )
  select ${ACCESS.list()} from shared`

/**
 * Accounts on the official platform, each in each tenant that has a number of it: `official_accounts` as statements.
 * Templates and Flows hang on them.
 */

/**
 * Makes number `$1`'s account known. Another number of an account that is there already makes its listings due at once,
 * too.
 */
export const KNOW_ACCOUNT = `insert into official_accounts as a (tenant_id, account_id)
  select tenant_id, official_account_id from channel_numbers where id = $1 and official_account_id is not null
  on conflict (account_id, tenant_id) do update set templates_listed_at = null, flows_listed_at = null`

/** Held before it is looked whether the account has other numbers: whoever connects one holds it too. */
export const HOLD_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for update'

/**
 * One that merges a listing at a time, and none while the last number of the account goes. Taken before any row, the
 * order in which that removes them.
 */
export const LOCK_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for no key update'

/** What hangs on it goes with it. */
export const FORGET_ACCOUNT = `delete from official_accounts where account_id = $1 and tenant_id = $2
  and not exists (select 1 from channel_numbers n where n.official_account_id = $1 and n.tenant_id = $2)`

/** What is listed of an account, by the beginning of its columns. */
export type Listed = 'templates' | 'flows'

/**
 * Takes up to `$3` accounts until `$2`; `$1` is the present. Due are those never listed, those listed before `$4`, and
 * those of account `a` for which `hasty` is true. `skip locked`: nodes share them out.
 */
export function takeDueSql(listed: Listed, hasty = 'false'): string {
  const [listedAt, leasedUntil] = [`a.${listed}_listed_at`, `${listed}_leased_until`]
  return `with due as (
      select a.account_id, a.tenant_id from official_accounts a
      where (a.${leasedUntil} is null or a.${leasedUntil} <= $1::timestamptz) and (${listedAt} is null or ${listedAt} <= $4::timestamptz or ${hasty})
      order by ${listedAt} nulls first limit $3 for no key update of a skip locked
    )
    update official_accounts a set ${leasedUntil} = $2::timestamptz from due where a.account_id = due.account_id and a.tenant_id = due.tenant_id
    returning a.account_id, a.tenant_id`
}

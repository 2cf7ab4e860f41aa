/** When accounts are listed: `official_accounts` as statements. */

/** Makes number `$1`'s account known. Another number of an account that is there already makes its listings due at once, too. */
export const KNOW_ACCOUNT = `insert into official_accounts as a (tenant_id, account_id)
  select tenant_id, official_account_id from channel_numbers where id = $1 and official_account_id is not null
  on conflict (account_id, tenant_id) do update set templates_listed_at = null, flows_listed_at = null`

/** Held before it is looked whether the account has other numbers: whoever connects one holds it too. */
export const HOLD_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for update'

/** Its templates and Flows go with it. */
export const FORGET_ACCOUNT = `delete from official_accounts where account_id = $1 and tenant_id = $2
  and not exists (select 1 from channel_numbers n where n.official_account_id = $1 and n.tenant_id = $2)`

/**
 * Takes up to `$3` accounts until `$2`; `$1` is the present. Due are those never listed, those listed before `$4`, and before `$5` where a
 * template is PENDING. `skip locked`: nodes share them out.
 */
export const TAKE_DUE = `with due as (
    select a.account_id, a.tenant_id from official_accounts a
    where (a.templates_leased_until is null or a.templates_leased_until <= $1::timestamptz) and (
      a.templates_listed_at is null or a.templates_listed_at <= $4::timestamptz or (a.templates_listed_at <= $5::timestamptz and exists (
        select 1 from templates t where t.account_id = a.account_id and t.tenant_id = a.tenant_id and t.official_status = 'PENDING')))
    order by a.templates_listed_at nulls first limit $3 for no key update of a skip locked
  )
  update official_accounts a set templates_leased_until = $2::timestamptz from due where a.account_id = due.account_id and a.tenant_id = due.tenant_id
  returning a.account_id, a.tenant_id`

export const LISTED = 'update official_accounts set templates_listed_at = $3::timestamptz, templates_leased_until = null where account_id = $1 and tenant_id = $2'

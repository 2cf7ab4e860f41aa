import type { TenantId } from '../../domain/ids.ts'
import type { SqlParameter } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { vacuumEmbedded } from '../engine/purge.ts'
import { OfficialAccountEntity } from './entity.ts'

/*
 * Accounts on the official platform, each in each tenant that has a number of it. Templates and Flows hang on them.
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
type Listed = 'templates' | 'flows'

/**
 * Takes up to `$3` accounts until `$2`; `$1` is the present. Due are those never listed, those listed before `$4`, and
 * those of account `a` for which `hasty` is true. `skip locked`: nodes share them out.
 */
function takeDueSql(listed: Listed, hasty = 'false'): string {
  const [listedAt, leasedUntil] = [`a.${listed}_listed_at`, `${listed}_leased_until`]
  return `with due as (
      select a.account_id, a.tenant_id from official_accounts a
      where (a.${leasedUntil} is null or a.${leasedUntil} <= $1::timestamptz) and (${listedAt} is null or ${listedAt} <= $4::timestamptz or ${hasty})
      order by ${listedAt} nulls first limit $3 for no key update of a skip locked
    )
    update official_accounts a set ${leasedUntil} = $2::timestamptz from due where a.account_id = due.account_id and a.tenant_id = due.tenant_id
    returning a.account_id, a.tenant_id`
}

/**
 * Our choice: after a listing that wrote so many rows the table is vacuumed at once. Until then counts look at every
 * row, not at the index alone: 7 ms of 6,000, not 1 (measured). The embedded database never does by itself.
 */
const VACUUM_AFTER = 1_000

/** An account in a tenant. */
export interface TenantAccount {
  readonly tenantId: TenantId
  readonly accountId: string
}

/** Of the tables of one kind of what accounts have. */
export interface ListingTables {
  readonly listed: Listed
  /** Of what a listing has seen. */
  readonly sightings: string
  /** SQL that is true of accounts `a` that are due sooner; its parameters begin with `$5`. */
  readonly hasty?: string
}

/** Tenants that have a number of an account. */
export async function tenantsOf(database: Engine['database'], accountId: string): Promise<readonly TenantId[]> {
  const accounts = await database
    .entities()
    .read(OfficialAccountEntity, { accountId }, { orderBy: { tenantId: 'asc' } })
  return accounts.map(({ tenantId }) => tenantId)
}

/** When accounts are listed, and what comes after a listing. */
export class AccountListings {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']
  readonly #tables: ListingTables
  readonly #take: string
  /** Rows that were imported or changed by listings since the table was last vacuumed from here. */
  #merged = 0

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>, tables: ListingTables) {
    this.#database = database
    this.#clock = clock
    this.#tables = tables
    this.#take = takeDueSql(tables.listed, tables.hasty)
  }

  /**
   * Up to `limit` accounts that were never listed, or longer than `everyMs` ago; the caller's for `leaseMs`. `more`:
   * parameters of `hasty`.
   */
  async takeDue(
    limit: number,
    everyMs: number,
    leaseMs: number,
    more: readonly SqlParameter[] = [],
  ): Promise<readonly TenantAccount[]> {
    const rows = await this.#database.query<{ account_id: string; tenant_id: TenantId }>(this.#take, [
      this.#time(0),
      this.#time(leaseMs),
      limit,
      this.#time(-everyMs),
      ...more,
    ])
    return rows.map((row) => ({ tenantId: row.tenant_id, accountId: row.account_id }))
  }

  /** A page was merged that wrote so many rows. */
  merged(count: number): void {
    this.#merged += count
  }

  /** A complete listing ended now. */
  async listed({ tenantId, accountId }: TenantAccount): Promise<void> {
    const listedAt = new Date(this.#clock.now())
    await this.#database
      .entities()
      .changed(
        OfficialAccountEntity,
        { accountId, tenantId },
        this.#tables.listed === 'templates'
          ? { templatesListedAt: listedAt, templatesLeasedUntil: null }
          : { flowsListedAt: listedAt, flowsLeasedUntil: null },
      )
    await vacuumEmbedded(this.#database, [this.#tables.sightings, 'official_accounts'])
    if (this.#merged < VACUUM_AFTER) return
    this.#merged = 0
    // Nobody waits for it, and without it all still works.
    this.#database.chores.query(`vacuum (analyze, skip_locked) ${this.#tables.listed}`).catch(() => {})
  }

  /** The present, and so long after it. */
  #time(inMs: number): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

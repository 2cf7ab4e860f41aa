import type { TenantId } from '../../domain/ids.ts'
import { REMOVED_STAYS_MS } from '../../domain/limits.ts'
import type { SqlParameter } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast, vacuumEmbedded } from '../engine/purge.ts'
import { OfficialAccountEntity, OfficialRemovalEntity } from './entity.ts'

/*
 * Accounts on the official platform, a row for each tenant that has a number of the account. Templates and Flows belong
 * to these rows.
 */

/** Makes the account of number `$1` known. Another number of a known account makes its listings due at once. */
export const KNOW_ACCOUNT = `insert into official_accounts as a (tenant_id, account_id)
  select tenant_id, official_account_id from channel_numbers where id = $1 and official_account_id is not null
  on conflict (account_id, tenant_id) do update set templates_listed_at = null, flows_listed_at = null`

/** Locks an account before its other numbers are looked for; connecting a number takes the same lock. */
export const HOLD_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for update'

/**
 * Locks an account, so that one listing is merged at a time, and none while the last number of the account is removed.
 * The lock is taken before any row, in the order of that removal.
 */
export const LOCK_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for no key update'

/** Removes an account without numbers; its templates and Flows go with it. */
export const FORGET_ACCOUNT = `delete from official_accounts where account_id = $1 and tenant_id = $2
  and not exists (select 1 from channel_numbers n where n.official_account_id = $1 and n.tenant_id = $2) returning 1`

/** Kinds of listings, by the prefix of their columns. */
type Listed = 'templates' | 'flows'

/**
 * SQL that takes up to `$3` accounts until `$2`; `$1` is the present. Due are accounts never listed, listed before
 * `$4`, and accounts `a` for which `hasty` is true. By `skip locked` the nodes share them out.
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
 * Our choice: after listings that wrote this many rows the table is vacuumed at once. Until then counts look at every
 * row, and not at the index alone: 7 ms for 6,000 instead of 1 (measured). The embedded database never vacuums by
 * itself.
 */
const VACUUM_AFTER = 1_000

/** An account in a tenant. */
export interface TenantAccount {
  readonly tenantId: TenantId
  readonly accountId: string
}

/** Tables of one kind of listing. */
export interface ListingTables {
  readonly listed: Listed
  /** Table that notes in which listing each row was last seen. */
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

/** When accounts are listed, and what is done after a listing. */
export class AccountListings {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']
  readonly #tables: ListingTables
  readonly #take: string
  /** Rows that listings imported or changed since the table was last vacuumed here. */
  #merged = 0

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>, tables: ListingTables) {
    this.#database = database
    this.#clock = clock
    this.#tables = tables
    this.#take = takeDueSql(tables.listed, tables.hasty)
  }

  /**
   * Takes up to `limit` accounts that were never listed, or longer than `everyMs` ago, for `leaseMs`. `more` are the
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

  /** Notes that a page was merged that wrote `count` rows. */
  merged(count: number): void {
    this.#merged += count
  }

  /** Notes that a complete listing ended now. */
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
    await purgePast(this.#database, OfficialRemovalEntity, ['removedAt'], this.#clock.now() - REMOVED_STAYS_MS)
    await vacuumEmbedded(this.#database, [this.#tables.sightings, 'official_accounts', 'official_removals'])
    if (this.#merged < VACUUM_AFTER) return
    this.#merged = 0
    // Nobody waits for the vacuum, and everything works without it.
    this.#database.chores.query(`vacuum (analyze, skip_locked) ${this.#tables.listed}`).catch(() => {})
  }

  /** The present plus `inMs`, as ISO text. */
  #time(inMs: number): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

import type { AccountChangeStore, AccountLane } from '../../ports/stores/account-change-store.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { AccountChangeEntity } from './entity.ts'

const TAKEN = rowsOf(AccountChangeEntity).without('key', 'leasedUntil', 'tries')

/**
 * Only the oldest row of an account that nobody has leased can be locked, so it stands for the account: of two nodes
 * that take at once one passes it over (`skip locked`), or finds the lease when it reads the row again.
 */
const TAKE = `with head as (
    select c.tenant_id, c.account_id from account_changes c
    where (c.leased_until is null or c.leased_until <= $1::timestamptz) and not exists (
      select 1 from account_changes o where o.account_id = c.account_id and o.tenant_id = c.tenant_id
        and (o.position < c.position or o.leased_until > $1::timestamptz))
    order by c.position limit 1 for update of c skip locked
  )
  update account_changes c set leased_until = $2::timestamptz from head
  where c.position in (
    select w.position from account_changes w where w.account_id = head.account_id and w.tenant_id = head.tenant_id order by w.position limit $3)
  returning ${TAKEN.list('c')}`

/** Counts the try of one, and lets the account go. */
const FAILED = `with failed as (update account_changes set tries = tries + 1, leased_until = $2::timestamptz where position = $1::bigint returning account_id, tenant_id, tries),
    others as (
      update account_changes c set leased_until = $2::timestamptz from failed
      where c.account_id = failed.account_id and c.tenant_id = failed.tenant_id and c.position <> $1::bigint and c.leased_until is not null)
  select tries from failed`

/** Waiting changes of accounts as rows. */
class SqlAccountChangeStore implements AccountChangeStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async take(limit: number, leaseMs: number): Promise<AccountLane | null> {
    const nowMs = this.#clock.now()
    const times = [nowMs, nowMs + leaseMs].map((ms) => new Date(ms).toISOString())
    const taken = (await this.#database.query<RowIn<typeof TAKEN>>(TAKE, [...times, limit])).map(TAKEN.read)
    const [first] = taken
    if (!first) return null
    const changes = taken.map(({ position, field, value, toldAt, receivedAt }) => ({ position, field, value, at: toldAt, receivedAt }))
    return { tenantId: first.tenantId, accountId: first.accountId, changes: changes.toSorted((a, b) => a.position - b.position) }
  }

  async failed(position: number, waitMs: number): Promise<number> {
    const [row] = await this.#database.query<{ tries: number }>(FAILED, [position, new Date(this.#clock.now() + waitMs).toISOString()])
    return row?.tries ?? 0
  }

  async settle(position: number): Promise<void> {
    await this.#database.query('delete from account_changes where position = $1::bigint', [position])
  }
}

/** What waits for accounts over an open database. */
export function openAccountChanges(engine: Pick<Engine, 'database' | 'clock'>): { readonly accountChanges: AccountChangeStore } {
  return { accountChanges: new SqlAccountChangeStore(engine) }
}

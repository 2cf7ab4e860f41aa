import type { NodeId, NumberId } from '../domain/ids.ts'
import { LEASE_GRACE_MS, LEASE_TTL_MS } from '../domain/limits.ts'
import type { Fence, Leases } from '../ports/leases.ts'
import type { Database } from '../storage/engine/database.ts'

/** Times of a lease in ms; the defaults are architecture 6's. */
export interface LeaseTimes {
  readonly ttlMs: number
  readonly graceMs: number
}

const TIMES: LeaseTimes = { ttlMs: LEASE_TTL_MS, graceMs: LEASE_GRACE_MS }

/**
 * Ownership of numbers as rows with a rising token (architecture 6). All times are the
 * database's: node clocks do not matter. `clock_timestamp()`, because `now()` stands still while
 * a statement waits for a row.
 */
export class RowLeases implements Leases {
  readonly nodeId: NodeId
  #database: Database
  #times: LeaseTimes

  constructor(database: Database, nodeId: NodeId, times: LeaseTimes = TIMES) {
    this.nodeId = nodeId
    this.#database = database
    this.#times = times
  }

  /** Also null for a number that does not exist. Its own lease is re-taken at once, with a new token. */
  async acquire(numberId: NumberId): Promise<Fence | null> {
    const rows = await this.#database.query<{ token: string }>(`insert into number_leases as lease (number_id, node_id, token, expires_at)
      select id, $2, 1, clock_timestamp() + $3::integer * interval '1 millisecond' from channel_numbers where id = $1
      on conflict (number_id) do update
        set node_id = excluded.node_id, token = lease.token + 1, expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
        where lease.node_id is null or lease.node_id = excluded.node_id
          or lease.expires_at + $4::integer * interval '1 millisecond' < clock_timestamp()
      returning token`, [numberId, this.nodeId, this.#times.ttlMs, this.#times.graceMs])
    return rows[0] ? { numberId, token: Number(rows[0].token) } : null
  }

  /**
   * A lease that ran out is not renewed: its number must be acquired anew, which gives a new token. Rows are locked in the order of their numbers, here and
   * in `reclaim`, so that two of these at once do not wait for each other in a circle.
   */
  async renew(): Promise<NumberId[]> {
    const rows = await this.#database.query<{ number_id: NumberId }>(`with mine as materialized (
        select number_id from number_leases where node_id = $1 and expires_at > clock_timestamp() order by number_id for update
      )
      update number_leases set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
      where number_id in (select number_id from mine) returning number_id`, [this.nodeId, this.#times.ttlMs])
    return rows.map((row) => row.number_id)
  }

  /** A row that a taker writes at this moment is waited for, and then no longer names this token. */
  async reclaim(fences: readonly Fence[]): Promise<NumberId[]> {
    if (fences.length === 0) return []
    const rows = await this.#database.query<{ number_id: NumberId }>(`with mine as materialized (
        select lease.number_id from number_leases lease join unnest($3::text[], $4::bigint[]) as known (number_id, token) using (number_id, token)
        where lease.node_id = $1 order by lease.number_id for update of lease
      )
      update number_leases set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
      where number_id in (select number_id from mine) returning number_id`,
    [this.nodeId, this.#times.ttlMs, fences.map(({ numberId }) => numberId), fences.map(({ token }) => String(token))])
    return rows.map((row) => row.number_id)
  }

  /** The row stays, and with it the token: the next owner's is higher. */
  async release(fence: Fence): Promise<void> {
    await this.#database.query('update number_leases set node_id = null, expires_at = clock_timestamp() where number_id = $1 and token = $2::bigint and node_id = $3',
      [fence.numberId, fence.token, this.nodeId])
  }

  async ownerOf(numberId: NumberId): Promise<NodeId | null> {
    const rows = await this.#database.query<{ node_id: NodeId }>(
      'select node_id from number_leases where number_id = $1 and node_id is not null and expires_at > clock_timestamp()', [numberId])
    return rows[0]?.node_id ?? null
  }
}

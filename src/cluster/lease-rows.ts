import type { NodeId, NumberId } from '../domain/ids.ts'
import { leaseTimesOf, type LeaseTimes } from '../domain/lease-times.ts'
import { LEASE_TTL_MS } from '../domain/limits.ts'
import type { Fence, Holder, Leases, Renewal } from '../ports/leases.ts'
import type { Database } from '../storage/engine/database.ts'

/**
 * Ownership of numbers as rows with a rising token ([nodes.placement.5]). All times are the database's, so the clocks
 * of nodes do not matter. They are `clock_timestamp()`, because `now()` stands still while a statement waits for a row.
 */
export class RowLeases implements Leases {
  readonly nodeId: NodeId
  readonly times: LeaseTimes
  #database: Database
  /** The name of this process: see placement-rows.ts. */
  #boot: string

  constructor(
    database: Database,
    nodeId: NodeId,
    times: LeaseTimes = leaseTimesOf(LEASE_TTL_MS),
    boot: string = nodeId,
  ) {
    this.nodeId = nodeId
    this.times = times
    this.#database = database
    this.#boot = boot
  }

  /**
   * Null for a number that another node holds or that does not exist, and once another process has this node's name.
   * The node's own lease is taken again at once, with a new token.
   */
  async acquire(numberId: NumberId): Promise<Fence | null> {
    const rows = await this.#database.query<{ token: string }>(
      `insert into number_leases as lease (number_id, node_id, token, expires_at)
      select id, $2, 1, clock_timestamp() + $3::integer * interval '1 millisecond' from channel_numbers
      where id = $1 and not exists (select from nodes where nodes.node_id = $2 and nodes.boot <> $5)
      on conflict (number_id) do update
        set node_id = excluded.node_id, token = lease.token + 1, is_wanted = false, expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
        where lease.node_id is null or lease.node_id = excluded.node_id
          or lease.expires_at + $4::integer * interval '1 millisecond' < clock_timestamp()
      returning token`,
      [numberId, this.nodeId, this.times.ttlMs, this.times.graceMs, this.#boot],
    )
    return rows[0] ? { numberId, token: Number(rows[0].token) } : null
  }

  /**
   * When two processes have one name, the rows belong to the later one. A lease that expired is not renewed: its number
   * must be acquired again, which gives a new token. Rows are locked in the order of their numbers, here and in
   * `reclaim`, so that two statements at once do not deadlock.
   */
  async renew(): Promise<Renewal> {
    const rows = await this.#database.query<{ number_id: NumberId | null; is_live: boolean }>(
      `with alive as (
        insert into nodes as node (node_id, boot, expires_at) values ($1, $3, clock_timestamp() + $2::integer * interval '1 millisecond')
        on conflict (node_id) do update set expires_at = excluded.expires_at where node.boot = excluded.boot
      ), other as materialized (
        select null::text as number_id, false as is_live from nodes where node_id = $1 and boot <> $3
      ), mine as materialized (
        select number_id, expires_at > clock_timestamp() as is_live from number_leases where node_id = $1 and not exists (select from other) order by number_id for update
      ), renewed as (
        update number_leases set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
        where number_id in (select number_id from mine where is_live)
      )
      select number_id, is_live from mine union all select number_id, is_live from other`,
      [this.nodeId, this.times.ttlMs, this.#boot],
    )
    const idsOf = (isLive: boolean) =>
      rows.flatMap((row) => (row.number_id !== null && row.is_live === isLive ? [row.number_id] : []))
    return {
      kept: idsOf(true),
      over: idsOf(false),
      ...(rows.some((row) => row.number_id === null) ? { isReplaced: true } : {}),
    }
  }

  /** A row that another node is taking is waited for; it then no longer has this token. */
  async reclaim(fences: readonly Fence[]): Promise<NumberId[]> {
    if (fences.length === 0) return []
    const rows = await this.#database.query<{ number_id: NumberId }>(
      `with mine as materialized (
        select lease.number_id from number_leases lease join unnest($3::text[], $4::bigint[]) as known (number_id, token) using (number_id, token)
        where lease.node_id = $1 order by lease.number_id for update of lease
      )
      update number_leases set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
      where number_id in (select number_id from mine) returning number_id`,
      [this.nodeId, this.times.ttlMs, fences.map(({ numberId }) => numberId), fences.map(({ token }) => String(token))],
    )
    return rows.map((row) => row.number_id)
  }

  /** The row stays and keeps the token, so that the next owner's token is higher. */
  async release(fence: Fence, isWanted = false): Promise<void> {
    await this.#database.query(
      `update number_leases set node_id = null, expires_at = clock_timestamp(),
        is_wanted = $4::boolean and exists (select 1 from channel_numbers where id = $1 and sealed_credentials is not null)
      where number_id = $1 and token = $2::bigint and node_id = $3`,
      [fence.numberId, fence.token, this.nodeId, isWanted],
    )
  }

  async ownerOf(numberId: NumberId): Promise<Holder | null> {
    const rows = await this.#database.query<{ node_id: NodeId; token: string; left_ms: number }>(
      `select node_id, token, ceil(extract(epoch from expires_at - clock_timestamp()) * 1000)::integer as left_ms
      from number_leases where number_id = $1 and node_id is not null and expires_at > clock_timestamp()`,
      [numberId],
    )
    return rows[0] ? { nodeId: rows[0].node_id, token: Number(rows[0].token), leftMs: rows[0].left_ms } : null
  }
}

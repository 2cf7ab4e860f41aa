import type { NodeId, NumberId } from '../domain/ids.ts'
import { namesOf } from '../domain/kinds/kinds.ts'
import type { LeaseTimes } from '../domain/lease-times.ts'
import type { Fence } from '../ports/leases.ts'
import type { Census, Look, Placement } from '../ports/placement.ts'
import type { Database } from '../storage/engine/database.ts'

export interface PlacementOptions {
  readonly database: Database
  readonly nodeId: NodeId
  readonly times: LeaseTimes
  /** A name of the process, new at each start. */
  readonly boot: string
}

/** A node is dead once its leases may be taken. One statement renews the node and its leases. */
const DEAD = `select node_id from nodes where node_id <> $1 and expires_at + $2::integer * interval '1 millisecond' < clock_timestamp()`
/** our choice: rows of nodes that are gone for good are kept for this many lifetimes of a lease. */
const KEPT_TTLS = 10
/** Kinds whose sessions are a load that nodes share. */
const SHARED_OUT = namesOf(({ isStateless }) => !isStateless)

/**
 * Placement as rows (docs/contract/nodes.md). Two indexes find the numbers that need an owner: those that were handed
 * over, and those whose lease names a dead node. A renewal touches neither index.
 */
export class RowPlacement implements Placement {
  readonly #database: Database
  readonly #nodeId: NodeId
  readonly #times: LeaseTimes
  readonly #boot: string

  constructor({ database, nodeId, times, boot }: PlacementOptions) {
    this.#database = database
    this.#nodeId = nodeId
    this.#times = times
    this.#boot = boot
  }

  async join(isAlone: boolean): Promise<boolean> {
    const joined = await this.#database.query(
      `insert into nodes as node (node_id, boot, expires_at) values ($1, $2, clock_timestamp() + $3::integer * interval '1 millisecond')
      on conflict (node_id) do update set boot = excluded.boot, is_leaving = false, expires_at = excluded.expires_at
        where $5::boolean or node.boot = excluded.boot or node.expires_at + $4::integer * interval '1 millisecond' < clock_timestamp()
      returning node_id`,
      [this.#nodeId, this.#boot, this.#times.ttlMs, this.#times.graceMs, isAlone],
    )
    if (joined.length === 0) return false
    await this.#database.query(
      `update number_leases set node_id = null, expires_at = clock_timestamp(),
        is_wanted = exists (select 1 from channel_numbers where id = number_id and sealed_credentials is not null)
      where node_id = $1`,
      [this.#nodeId],
    )
    return true
  }

  async leave(): Promise<void> {
    await this.#database.query('update nodes set is_leaving = true where node_id = $1 and boot = $2', [
      this.#nodeId,
      this.#boot,
    ])
  }

  async forget(): Promise<void> {
    await this.#database.query('delete from nodes where node_id = $1 and boot = $2', [this.#nodeId, this.#boot])
  }

  /** Also deletes the rows of nodes that are gone for good, once no paired number is left to be taken from them. */
  async census(): Promise<Census> {
    const rows = await this.#database.query<{ nodes: number; numbers: number; mine: number }>(
      `with gone as (
        delete from nodes where expires_at + $2::integer * interval '1 millisecond' < clock_timestamp() and not exists (
          select 1 from number_leases lease join channel_numbers number on number.id = lease.number_id
          where lease.node_id = nodes.node_id and number.sealed_credentials is not null)
        returning node_id
      ), freed as (
        update number_leases set node_id = null where node_id in (select node_id from gone)
      )
      select (select count(*)::integer from nodes where expires_at > clock_timestamp() and not is_leaving) as nodes,
        (select count(*)::integer from channel_numbers where sealed_credentials is not null and provider = any($3::text[])) as numbers,
        (select count(*)::integer from number_leases lease join channel_numbers number on number.id = lease.number_id
          where lease.node_id = $1 and number.sealed_credentials is not null and number.provider = any($3::text[])) as mine`,
      [this.#nodeId, this.#times.ttlMs * KEPT_TTLS, SHARED_OUT],
    )
    return rows[0] ?? { nodes: 0, numbers: 0, mine: 0 }
  }

  async look(): Promise<Look> {
    const rows = await this.#database.query<{ is_wanted: boolean; death_in_ms: number | null }>(
      `select exists (select 1 from number_leases lease join channel_numbers number on number.id = lease.number_id
        where lease.is_wanted and lease.node_id is null and number.sealed_credentials is not null)
      or exists (select 1 from number_leases lease join channel_numbers number on number.id = lease.number_id
        where lease.node_id in (${DEAD}) and number.sealed_credentials is not null) as is_wanted,
      (select (extract(epoch from min(expires_at) - clock_timestamp()) * 1000)::integer + $2::integer from nodes
        where node_id <> $1 and expires_at + $2::integer * interval '1 millisecond' >= clock_timestamp()) as death_in_ms`,
      [this.#nodeId, this.#times.graceMs],
    )
    return { isWanted: rows[0]?.is_wanted === true, deathInMs: rows[0]?.death_in_ms ?? null }
  }

  async claim(limit: number): Promise<Fence[]> {
    const rows = await this.#database.query<{ number_id: NumberId; token: string }>(
      `with handed as materialized (
        select lease.number_id from number_leases lease join channel_numbers number on number.id = lease.number_id
        where lease.is_wanted and lease.node_id is null and number.sealed_credentials is not null
        limit $4::integer for update of lease skip locked
      ), orphaned as materialized (
        select lease.number_id from number_leases lease join channel_numbers number on number.id = lease.number_id
        where lease.node_id in (${DEAD}) and lease.expires_at + $2::integer * interval '1 millisecond' < clock_timestamp() and number.sealed_credentials is not null
        limit $4::integer for update of lease skip locked
      ), chosen as (
        select number_id from (select number_id from handed union all select number_id from orphaned) as both_kinds
        where not exists (select from nodes where node_id = $1 and boot <> $5) limit $4::integer
      )
      update number_leases as lease set node_id = $1, token = lease.token + 1, is_wanted = false, expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
      from chosen where lease.number_id = chosen.number_id returning lease.number_id, lease.token`,
      [this.#nodeId, this.#times.graceMs, this.#times.ttlMs, limit, this.#boot],
    )
    return rows.map((row) => ({ numberId: row.number_id, token: Number(row.token) }))
  }

  async listFree(after: NumberId | null, limit: number): Promise<{ free: NumberId[]; next: NumberId | null }> {
    const rows = await this.#database.query<{ id: NumberId; is_free: boolean }>(
      `select page.id, lease.node_id is null
        or lease.expires_at + $3::integer * interval '1 millisecond' < clock_timestamp() as is_free
      from (select id from channel_numbers where sealed_credentials is not null and id > $1 order by id limit $2) as page
      left join number_leases lease on lease.number_id = page.id order by page.id`,
      [after ?? '', limit, this.#times.graceMs],
    )
    return {
      free: rows.filter((row) => row.is_free).map((row) => row.id),
      next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    }
  }
}

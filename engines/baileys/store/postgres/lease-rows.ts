import type { Pool } from 'pg'
import type { NodeId, NumberId } from '../../../../src/domain/ids.ts'
import type { LeaseTimes } from '../../../../src/domain/lease-times.ts'
import type { Fence, Holder, Leases, Renewal } from '../../../../src/ports/leases.ts'

export interface LeaseRowsParts {
  readonly pool: Pool
  readonly schema: string
  /** New with each start of an engine. */
  readonly engineId: NodeId
  readonly times: LeaseTimes
}

/** our choice: a day. A number that moved to another store is never free. */
const LONGEST_MS = 86_400_000
/** our choice, in ms: an answer that comes later than a renewal is due helps nobody. */
const patienceOf = ({ renewMs }: LeaseTimes): number => renewMs

/**
 * The numbers that engines hold, as rows with a rising token: the statements of the gateways' leases, on the engines'
 * own table. All times are the database's, by `clock_timestamp()`, because `now()` stands still while a statement waits
 * for a row. Every method rejects when the database cannot be reached.
 */
export function leaseRows({ pool, schema, engineId, times }: LeaseRowsParts): Leases {
  const table = `${schema}.number_leases`

  async function ask<Row>(name: string, text: string, values: unknown[]): Promise<readonly Row[]> {
    const query = { name: `lease ${name}`, text, values, query_timeout: patienceOf(times) }
    return (await pool.query(query)).rows as Row[]
  }

  return {
    nodeId: engineId,
    times,
    async acquire(numberId): Promise<Fence | null> {
      const [row] = await ask<{ token: number }>(
        'acquire',
        `insert into ${table} as lease (number_id, engine_id, token, expires_at)
        values ($1, $2, 1, clock_timestamp() + $3::integer * interval '1 millisecond')
        on conflict (number_id) do update
          set engine_id = excluded.engine_id, token = lease.token + 1, expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
          where lease.engine_id is null or lease.engine_id = excluded.engine_id
            or lease.expires_at + $4::integer * interval '1 millisecond' < clock_timestamp()
        returning token`,
        [numberId, engineId, times.ttlMs, times.graceMs],
      )
      return row ? { numberId, token: row.token } : null
    },
    // Rows are locked in the order of their numbers, here and in `reclaim`, so that two statements do not deadlock.
    async renew(): Promise<Renewal> {
      const rows = await ask<{ number_id: NumberId; is_live: boolean }>(
        'renew',
        `with mine as materialized (
          select number_id, expires_at > clock_timestamp() as is_live from ${table} where engine_id = $1 order by number_id for no key update
        ), renewed as (
          update ${table} set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
          where number_id in (select number_id from mine where is_live)
        )
        select number_id, is_live from mine`,
        [engineId, times.ttlMs],
      )
      const idsOf = (isLive: boolean) => rows.filter((row) => row.is_live === isLive).map((row) => row.number_id)
      return { kept: idsOf(true), over: idsOf(false) }
    },
    async reclaim(fences): Promise<NumberId[]> {
      if (fences.length === 0) return []
      const rows = await ask<{ number_id: NumberId }>(
        'reclaim',
        `with mine as materialized (
          select lease.number_id from ${table} lease join unnest($3::text[], $4::bigint[]) as known (number_id, token) using (number_id, token)
          where lease.engine_id = $1 order by lease.number_id for no key update of lease
        )
        update ${table} set expires_at = clock_timestamp() + $2::integer * interval '1 millisecond'
        where number_id in (select number_id from mine) returning number_id`,
        [engineId, times.ttlMs, fences.map(({ numberId }) => numberId), fences.map(({ token }) => token)],
      )
      return rows.map((row) => row.number_id)
    },
    // The row stays and keeps the token, so that the next holder's token is higher.
    async release({ numberId, token }): Promise<void> {
      await ask(
        'release',
        `update ${table} set engine_id = null, expires_at = clock_timestamp() where number_id = $1 and token = $2 and engine_id = $3`,
        [numberId, token, engineId],
      )
    },
    async ownerOf(numberId): Promise<Holder | null> {
      const [row] = await ask<{ engine_id: NodeId; token: number; left_ms: number }>(
        'owner',
        `select engine_id, token, least(ceil(extract(epoch from expires_at - clock_timestamp()) * 1000), ${LONGEST_MS})::integer as left_ms
        from ${table} where number_id = $1 and engine_id is not null and expires_at > clock_timestamp()`,
        [numberId],
      )
      return row ? { nodeId: row.engine_id, token: row.token, leftMs: row.left_ms } : null
    },
  }
}

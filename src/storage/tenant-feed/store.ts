import { LIVE_STATUSES, type Call } from '../../domain/call.ts'
import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { LookedFor, TenantFeedReads } from '../../ports/stores/tenant-feed-store.ts'
import type { EventPlace, PlacedEvent, StandingNumber } from '../../ports/tenant-feed.ts'
import { CALL_COLUMNS, toCall, type CallRow } from '../calls/row.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { ALONG_INDEX } from '../engine/partitions.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { isOf } from '../events/owner-sql.ts'
import { isEventWithheld } from '../events/privacy.ts'
import { EVENT_COLUMNS_WITHOUT_DATA, toStoredEvent, type EventRow } from '../events/store.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'

/** An event with its place, and the moment of the look. The event is missing where a look found none. */
type PlacedRow = { readonly horizon: string } & (
  | (EventRow & { readonly xid: string; readonly position: string })
  | { readonly id: null }
)

/**
 * A reader sees only events older than every transaction under way, as lists of events do, so it misses none. Places
 * are hidden from the planner, which knows nothing of rows that came since it last analyzed the table.
 */
const IN_PLACE = `e.xid < (select xmin from moment)`
const SHOWN = `${EVENT_COLUMNS_WITHOUT_DATA}, e.xid::text as xid, e.position::text as position`

function shown(found: string, now: string): string {
  return `select (select xmin::text from moment) as horizon, ${SHOWN}, case when ${isEventWithheld(now)} then '' else e.data end as data
    from moment left join ${found} e on true left join channel_numbers n on n.id = e.number_id order by e.xid, e.position`
}

const MOMENT = 'moment as (select pg_snapshot_xmin(pg_current_snapshot()) as xmin)'

/** A place behind which nothing is stored: that of an account without one. */
const AHEAD: EventPlace = { xid: String(2n ** 63n - 1n), position: '0' }

/** `$1` are the accounts, `$2` and `$3` their places, `$4` is the most of each, `$5` the present. */
const LOOK = keptStatement(`with ${MOMENT}, found as (
    select e.* from unnest($1::text[], $2::text[], $3::text[]) as wanted (tenant_id, xid, position) cross join lateral (
      select e.* from events e ${ALONG_INDEX} where ${isOf('tenant', 'wanted.tenant_id')} and ${IN_PLACE}
        and (e.xid, e.position) > (wanted.xid::xid8, wanted.position::bigint) order by e.xid, e.position limit $4) e)
  ${shown('found', '$5::timestamptz')}`)

/** `$1` is the account, `$2` and `$3` the place before, `$4` and `$5` the last one, `$6` the most, `$7` the present. */
const BETWEEN = keptStatement(`with ${MOMENT}, found as (
    select e.* from events e ${ALONG_INDEX} where ${isOf('tenant', '$1')} and ${IN_PLACE}
      and (e.xid, e.position) > ((select $2::text::xid8), (select $3::bigint))
      and (e.xid, e.position) <= ((select $4::text::xid8), (select $5::bigint))
    order by e.xid, e.position limit $6)
  ${shown('found', '$7::timestamptz')}`)

const NUMBERS = rowsOf(ChannelNumberEntity).only('id', 'tenantId', 'state', 'isFullyConnected', 'callingStatus')
const NUMBERS_OF_TENANTS = `select ${NUMBERS.list()} from channel_numbers where tenant_id = any($1::text[])`
const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(', ')
const CALLS_OF_TENANTS = `select ${CALL_COLUMNS} from calls where tenant_id = any($1::text[])`

/** Reads what happens in accounts from rows. */
class SqlTenantFeedReads implements TenantFeedReads {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async look(after: ReadonlyMap<TenantId, EventPlace | null>, most: number): Promise<LookedFor> {
    const places = [...after.values()].map((place) => place ?? AHEAD)
    const rows = await this.#database.queryKept<PlacedRow>(LOOK, [
      [...after.keys()],
      places.map(({ xid }) => xid),
      places.map(({ position }) => position),
      most,
      this.#now(),
    ])
    return { horizon: horizonOf(rows), events: Map.groupBy(rows.flatMap(toPlaced), ({ event }) => event.tenantId) }
  }

  async standing(tenantIds: readonly TenantId[]) {
    const [numbers, calls] = await Promise.all([
      this.#database.query<RowIn<typeof NUMBERS>>(NUMBERS_OF_TENANTS, [tenantIds]),
      this.#database.query<CallRow>(`${CALLS_OF_TENANTS} and status in (${LIVE}) order by created_at, id`, [tenantIds]),
    ])
    return { numbers: numbers.map(toStanding), calls: calls.map(toCall) }
  }

  async numbersOf(tenantIds: readonly TenantId[], numberIds: readonly NumberId[]): Promise<StandingNumber[]> {
    const rows = await this.#database.query<RowIn<typeof NUMBERS>>(
      `${NUMBERS_OF_TENANTS} and id = any($2::text[]) order by id`,
      [tenantIds, numberIds],
    )
    return rows.map(toStanding)
  }

  async callsOf(tenantIds: readonly TenantId[], callIds: readonly CallId[]): Promise<Call[]> {
    const rows = await this.#database.query<CallRow>(`${CALLS_OF_TENANTS} and id = any($2::text[])`, [
      tenantIds,
      callIds,
    ])
    return rows.map(toCall)
  }

  async between(
    tenantId: TenantId,
    after: EventPlace,
    until: EventPlace,
    most: number,
  ): Promise<readonly PlacedEvent[] | null> {
    // Ids of another server, from before a dump was restored here, may lie ahead of all that is stored.
    if (BigInt(after.xid) > BigInt(until.xid)) return null
    const rows = await this.#database.queryKept<PlacedRow>(BETWEEN, [
      tenantId,
      after.xid,
      after.position,
      until.xid,
      until.position,
      most + 1,
      this.#now(),
    ])
    const events = rows.flatMap(toPlaced)
    return events.length > most ? null : events
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function horizonOf([first]: readonly PlacedRow[]): EventPlace {
  if (!first) throw new Error('a look has no moment')
  return { xid: first.horizon, position: '0' }
}

function toPlaced(row: PlacedRow): PlacedEvent[] {
  return row.id === null ? [] : [{ place: { xid: row.xid, position: row.position }, event: toStoredEvent(row) }]
}

function toStanding(row: RowIn<typeof NUMBERS>): StandingNumber {
  const { callingStatus, ...number } = NUMBERS.read(row)
  return { ...number, calling: callingStatus }
}

/** What feeds of accounts read, over an open database. */
export function openTenantFeed(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly tenantFeedReads: TenantFeedReads
} {
  return { tenantFeedReads: new SqlTenantFeedReads(engine) }
}

import { bodyOf } from '../../domain/envelope.ts'
import type { StoredEvent } from '../../domain/events.ts'
import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import { TOLD_DAYS } from '../../domain/limits.ts'
import { parseLong, rawDigits } from '../../domain/long-integers.ts'
import { isNative } from '../../domain/upstream-fields.ts'
import type { EventPage, EventStore } from '../../ports/stores/event-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { isEventWithheld, WITHHELD } from './privacy.ts'
import type { Engine } from '../engine/engine.ts'
import { ALONG_INDEX } from '../engine/partitions.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { StoredEventEntity } from './entity.ts'
import { Parameters } from '../engine/statement.ts'
import { isOf } from './owner-sql.ts'
import { dataOf } from './status-data.ts'

/**
 * SQL that is true of events and logs within their TOLD_DAYS. They are stored longer where whole months are dropped.
 */
export function isTold(createdAt: string, now: string): string {
  return `${createdAt} >= ${now} - interval '${TOLD_DAYS} days'`
}

/** The owner of the events that are read. */
interface Scope {
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
}

const EVENTS = rowsOf(StoredEventEntity).without('position', 'xid')
/** An event as raw SQL answers it. */
export type EventRow = RowIn<typeof EVENTS>

/** What reads select of events `e`. */
export const EVENT_COLUMNS = EVENTS.list('e')
export const EVENT_COLUMNS_WITHOUT_DATA = EVENTS.without('data').list('e')

export function toStoredEvent(row: EventRow): StoredEvent {
  const isKept = row.data !== ''
  return {
    ...EVENTS.read(row),
    // Upstream writes ids of templates as numbers beyond 2^53, so reads keep their digits as deliveries do.
    data: dataOf(parseLong(isKept ? row.data : WITHHELD, rawDigits)),
    ...(isKept && isNative(row.event) ? { upstreamBody: row.data } : {}),
  }
}

/** Bodies of events of a tenant by id; those that are gone or wiped are missing. */
export async function bodiesOf(
  session: SqlSession,
  tenantId: TenantId,
  ids: readonly EventId[],
): Promise<ReadonlyMap<EventId, string>> {
  if (ids.length === 0) return new Map()
  const rows = await session.query<EventRow>(
    `select ${EVENT_COLUMNS} from events e where e.id = any($1::text[]) and e.tenant_id = $2 and e.data <> ''`,
    [[...new Set(ids)], tenantId],
  )
  return new Map(rows.map((row) => [row.id, bodyOf(toStoredEvent(row))]))
}

/** Our choice: as many rows tell whether events came from another server. */
const YOUNGEST = 100

/**
 * Makes events readable that came from another server (a restored dump): their transactions have not happened here yet,
 * so readers would wait for them. They keep their order, by position. Run it at start; it looks at the youngest rows.
 */
export async function adoptEvents(session: SqlSession): Promise<void> {
  await session.query(`update events set xid = '1' where exists (
    select from (select xid from events order by id desc limit ${YOUNGEST}) young where xid >= pg_snapshot_xmax(pg_current_snapshot()))`)
}

/**
 * Stored events in the order of the transactions that stored them. A reader sees only events older than every
 * transaction under way. Whatever commits later sorts after all it has seen, so it misses none, and it neither waits
 * for a writer nor holds one off. An event that privacy withholds keeps its place, without its data.
 */
class SqlEventStore implements EventStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Reads from the replica first. It may lack an event that was delivered a moment ago, so only the primary says that
   * there is no event `after`.
   */
  async list(scope: Scope, page: EventPage): Promise<StoredEvent[] | null> {
    return (await this.#list(this.#database.lists, scope, page)) ?? this.#list(this.#database, scope, page)
  }

  async #list(session: SqlSession, scope: Scope, page: EventPage): Promise<StoredEvent[] | null> {
    const { after, event, limit } = page
    const last = after === null ? null : await this.#cursor(session, scope, after)
    if (after !== null && last === null) return null
    const p = new Parameters()
    const now = p.time(this.#clock.now())
    const tenant = p.add(scope.tenantId)
    const where = [
      // Of a number the index by number serves, so the tenant is only compared.
      ...(scope.numberId === null
        ? [isOf('tenant', tenant)]
        : [`e.tenant_id = ${tenant}`, isOf('number', p.add(scope.numberId))]),
      isTold('e.created_at', now),
      'e.xid < pg_snapshot_xmin(pg_current_snapshot())',
    ]
    if (event !== null) where.push(`e.event = ${p.add(event)}`)
    // The values are hidden from the planner, which knows nothing of rows that came since it last analyzed the table,
    // and would expect none.
    if (last !== null)
      where.push(`(e.xid, e.position) > ((select ${p.add(last.xid)}::xid8), (select ${p.add(last.position)}::bigint))`)
    const rows = await session.query<EventRow>(
      `select ${EVENT_COLUMNS_WITHOUT_DATA}, case when ${isEventWithheld(now)} then '' else e.data end as data
       from (select e.* from events e ${ALONG_INDEX} where ${where.join(' and ')} order by e.xid, e.position limit ${p.add(limit)}) e
       left join channel_numbers n on n.id = e.number_id order by e.xid, e.position`,
      p.values,
    )
    return rows.map(toStoredEvent)
  }

  async #cursor(session: SqlSession, scope: Scope, after: EventId): Promise<{ xid: string; position: string } | null> {
    const rows = await session.query<{ xid: string; position: string }>(
      `select xid::text as xid, position::text as position from events
       where id = $1 and tenant_id = $2 and ($3::text is null or number_id = $3) and ${isTold('created_at', '$4::timestamptz')}`,
      [after, scope.tenantId, scope.numberId, new Date(this.#clock.now()).toISOString()],
    )
    return rows[0] ?? null
  }
}

/** Stored events over an open database. */
export function openEvents(engine: Pick<Engine, 'database' | 'clock'>): { readonly events: EventStore } {
  return { events: new SqlEventStore(engine) }
}

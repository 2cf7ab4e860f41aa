import { LAST_EVENTS, type StoredEvent } from '../domain/events.ts'
import type { Subscriber } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'
import { rowsOf, type RowIn } from '../storage/engine/rows-of.ts'
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '../storage/events/store.ts'
import { WebhookEntity } from '../storage/webhooks/entity.ts'

/**
 * Takes the oldest rows of the outbox, for good unless the transaction rolls back. Rows that another node is taking are
 * skipped.
 */
const TAKE = `with taken as (
    delete from outbox where position in (select position from outbox order by position limit $1 for update skip locked)
    returning position, event_id
  )
  select ${EVENT_COLUMNS} from taken left join events e on e.id = taken.event_id order by taken.position`

/** Answers how many rows were taken, and their events. An event that was purged before its turn is missing. */
export async function takeOutbox(
  session: SqlSession,
  limit: number,
): Promise<{ taken: number; events: StoredEvent[] }> {
  const rows = await session.query<EventRow | { id: null }>(TAKE, [limit])
  return { taken: rows.length, events: rows.flatMap((row) => (row.id === null ? [] : [toStoredEvent(row)])) }
}

const SUBSCRIBERS = rowsOf(WebhookEntity).only('id', 'tenantId', 'numberId', 'provider', 'events')
type SubscriberRow = RowIn<typeof SUBSCRIBERS> & { readonly is_removed: boolean }

/** A subscriber of a number; `isRemoved` when the number is gone. */
interface NumberSubscriber extends Subscriber {
  readonly isRemoved: boolean
}

/** The subscribers of the numbers of these events; those of a removed number get its last events only. */
export async function subscribersOf(
  session: SqlSession,
  events: readonly StoredEvent[],
): Promise<(event: StoredEvent) => Subscriber[]> {
  const numbers = [...new Set(events.map(({ numberId }) => numberId))]
  const rows =
    numbers.length === 0
      ? []
      : await session.query<SubscriberRow>(
          `select ${SUBSCRIBERS.list()}, removed_at is not null as is_removed
     from webhooks where number_id = any($1::text[]) and active order by id`,
          [numbers],
        )
  const byNumber = Map.groupBy(rows, (row) => row.number_id)
  return (event) =>
    (byNumber.get(event.numberId) ?? [])
      .map(toSubscriber)
      .filter((subscriber) => subscriber.tenantId === event.tenantId && (!subscriber.isRemoved || isLast(event)))
}

function isLast({ event }: StoredEvent): boolean {
  return (LAST_EVENTS as readonly string[]).includes(event)
}

function toSubscriber(row: SubscriberRow): NumberSubscriber {
  const { id, tenantId, events, provider } = SUBSCRIBERS.read(row)
  return { webhookId: id, tenantId, events, provider, isRemoved: row.is_removed }
}

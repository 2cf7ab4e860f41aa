import type { EventId } from '../domain/ids.ts'
import type { FailedOf, FailedRange } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'
import { ALONG_INDEX } from '../storage/engine/partitions.ts'
import { Parameters } from '../storage/engine/statement.ts'
import { isTold } from '../storage/events/store.ts'
import type { Jobs } from './jobs.ts'

/** Holds the row of an active webhook until the transaction ends; false when there is none. */
export async function holdWebhook(session: SqlSession, { id, tenantId, numberId }: FailedOf): Promise<boolean> {
  const rows = await session.query(
    'select 1 from webhooks where id = $1 and tenant_id = $2 and number_id = $3 and active and removed_at is null for no key update',
    [id, tenantId, numberId],
  )
  return rows.length > 0
}

/**
 * The events whose last attempt in the range failed, by the age of that attempt. Failed attempts are read by age, and
 * of each event only later attempts are looked for, which were jobs of the queue, so that attempts that succeeded at
 * once cost nothing.
 */
export async function failedEvents(
  session: SqlSession,
  jobs: Jobs,
  { id, tenantId, numberId }: FailedOf,
  { range, most, nowMs }: { readonly range: FailedRange; readonly most: number; readonly nowMs: number },
): Promise<EventId[]> {
  const p = new Parameters()
  const [webhook, now] = [p.add(id), p.time(nowMs)]
  const [since, until] = [p.time(range.since), p.time(range.until)]
  const rows = await session.query<{ event_id: EventId }>(
    `with under_way as materialized (select coalesce(data ->> 'eventId', '') as event_id from (${jobs.underWay(webhook)}) job)
    select l.event_id from webhook_logs l ${ALONG_INDEX}
    where l.webhook_id = ${webhook} and l.status = 'FAILED' and l.created_at >= ${since} and l.created_at <= ${until}
      and ${isTold('l.created_at', now)} and l.event_id not in (select event_id from under_way)
      and not exists (select 1 from webhook_logs later where later.event_id = l.event_id and later.webhook_id = l.webhook_id and later.is_queued
        and later.created_at <= ${until} and (later.created_at, later.id) > (l.created_at, l.id))
      and exists (select 1 from events e where e.id = l.event_id and e.tenant_id = ${p.add(tenantId)} and e.number_id = ${p.add(numberId)}
        and ${isTold('e.created_at', now)})
    order by l.created_at, l.id limit ${p.add(most)}`,
    p.values,
  )
  return rows.map(({ event_id: eventId }) => eventId)
}

import type { Engine } from '../storage/engine/engine.ts'
import { PURGE_BATCH, purgeRows, vacuumEmbedded } from '../storage/engine/purge.ts'
import { TELLS_OF_PERSON } from '../storage/events/privacy.ts'
import { isWithheld } from '../storage/numbers/retention.ts'

/** Contract 5: logs are kept 30 days. Events as long, so that a consumer that was down can catch up. */
const KEEP_DAYS = 30
/** The retries of number.removed are over after 77 h (contract 5); our choice: the webhooks of a removed number go after 5 days. */
const KEEP_REMOVED_DAYS = 5

/** Statements that take up to PURGE_BATCH rows each; `$1`, where there is one, is the present. */
const STEPS = [
  `delete from webhooks where id in (
    select id from webhooks where removed_at < $1::timestamptz - interval '${KEEP_REMOVED_DAYS} days' limit ${PURGE_BATCH}) returning 1`,
  `delete from webhook_logs where id in (
    select l.id from webhook_logs l where l.created_at < $1::timestamptz - interval '${KEEP_DAYS} days' limit ${PURGE_BATCH}) returning 1`,
  `delete from webhook_logs where id in (
    select l.id from webhook_logs l where not exists (select 1 from webhooks w where w.id = l.webhook_id) limit ${PURGE_BATCH}) returning 1`,
  `delete from events where id in (
    select e.id from events e where e.created_at < $1::timestamptz - interval '${KEEP_DAYS} days' limit ${PURGE_BATCH}) returning 1`,
  // Bodies past the window of their number; under RELAY_ONLY those kept while another mode held.
  `update webhook_logs set payload = '', response = '' where id in (
    select l.id from webhook_logs l join webhooks w on w.id = l.webhook_id join channel_numbers n on n.id = w.number_id
    where (n.pii_mode = 'STORE_X_DAYS' and (l.payload <> '' or l.response <> '')
        and l.created_at < $1::timestamptz - n.pii_retention_days * interval '1 day')
      or (n.pii_mode = 'RELAY_ONLY' and l.payload <> '')
    limit ${PURGE_BATCH}) returning 1`,
  // Left by nodes that never came back; their jobs have expired long ago.
  `delete from delivery_batches where id in (select id from delivery_batches where fetched_at < now() - interval '1 day' limit ${PURGE_BATCH}) returning 1`,
]

/**
 * Statements that empty events which tell of messages, once nothing waits to deliver them: those the privacy of their number withholds, and
 * those of removed numbers that had webhooks. The row stays, so that readers of events go on behind it.
 */
function wipesOf(jobTable: string): readonly string[] {
  const isDone = `e.data <> '' and ${TELLS_OF_PERSON} and not exists (select 1 from outbox o where o.event_id = e.id)
    and not exists (select 1 from ${jobTable} j where j.data ->> 'eventId' = e.id)`
  return [
    `update events set data = '' where position in (
      select e.position from channel_numbers n join events e on e.number_id = n.id
      where n.pii_mode <> 'STORE_INDEFINITE' and ${isWithheld('e.created_at', '$1')} and ${isDone} limit ${PURGE_BATCH}) returning 1`,
    `update events set data = '' where position in (
      select e.position from events e where e.number_id in (select w.number_id from webhooks w where w.removed_at is not null) and ${isDone} limit ${PURGE_BATCH}) returning 1`,
  ]
}

/** Deletes what is past its time and empties what privacy withholds. `jobTable` holds what waits. */
export async function purgeDeliveries({ database, clock }: Pick<Engine, 'database' | 'clock'>, jobTable: string): Promise<number> {
  const now = new Date(clock.now()).toISOString()
  let count = 0
  for (const step of [...STEPS, ...wipesOf(jobTable)]) count += await purgeRows(database, step, now)
  await vacuumEmbedded(database, ['outbox', 'delivery_batches', 'webhooks', 'webhook_logs', 'events', jobTable])
  return count
}

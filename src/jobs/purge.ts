import { BODY_DAYS, TOLD_DAYS } from '../domain/limits.ts'
import type { Engine } from '../storage/engine/engine.ts'
import { dropMonths, TABLES_BY_MONTH } from '../storage/engine/partitions.ts'
import { PURGE_BATCH, purgePast, purgeRows, vacuumEmbedded } from '../storage/engine/purge.ts'
import { isOf } from '../storage/events/owner-sql.ts'
import { TELLS_OF_PERSON } from '../storage/events/privacy.ts'
import { BEGUN_EVENTS } from './fetched-batches.ts'
import { isWithheld } from '../storage/numbers/retention.ts'
import { WebhookEntity } from '../storage/webhooks/entity.ts'

/**
 * The retries of number.removed are over after 77 h ([webhooks.retries.1]). Our choice: the webhooks of a removed
 * number go after 5 days.
 */
const KEEP_REMOVED_MS = 5 * 86_400_000

/** What names a log, in the order of its index. */
const LOG_KEY = 'webhook_id, created_at, id'

/** SQL that empties the logs meant by `logs`, of the numbers `n` meant by `numbers`. */
function emptyLogs(numbers: string, logs: string): string {
  return `update webhook_logs set payload = '', response = '' where (${LOG_KEY}) in (
    select l.* from channel_numbers n join webhooks w on w.number_id = n.id
      cross join lateral (select ${LOG_KEY} from webhook_logs where webhook_id = w.id and ${logs} limit ${PURGE_BATCH}) l
    where ${numbers} limit ${PURGE_BATCH}) returning 1`
}

/** Statements that take up to PURGE_BATCH rows each; `$1`, where there is one, is the current time. */
const STEPS = [
  // Deletes the logs of webhooks that are gone. It steps from webhook to webhook along the index, because there are far
  // more logs than webhooks.
  `with recursive logged as (
    select min(webhook_id) as id from webhook_logs
    union all select (select min(l.webhook_id) from webhook_logs l where l.webhook_id > logged.id) from logged where logged.id is not null
  )
  delete from webhook_logs where (${LOG_KEY}) in (
    select l.* from logged cross join lateral (select ${LOG_KEY} from webhook_logs where webhook_id = logged.id limit ${PURGE_BATCH}) l
    where not exists (select 1 from webhooks w where w.id = logged.id) limit ${PURGE_BATCH}) returning 1`,
  // Empties bodies past the retention window of their number, and on RELAY_ONLY numbers those stored under an earlier
  // mode. Numbers that keep everything are not looked at.
  emptyLogs(
    `n.pii_mode = 'STORE_X_DAYS'`,
    `(payload is distinct from '' or response <> '') and created_at < $1::timestamptz - n.pii_retention_days * interval '1 day'`,
  ),
  emptyLogs(`n.pii_mode = 'RELAY_ONLY'`, `payload is distinct from ''`),
  // Deletes the rows of nodes that never came back; the jobs in them expired long ago.
  `delete from delivery_batches where id in (select id from delivery_batches where begun is null and fetched_at < now() - interval '1 day' limit ${PURGE_BATCH}) returning 1`,
]

/**
 * Statements that empty events of messages once no job waits to deliver them: those that the privacy of their number
 * withholds, and those of removed numbers that had webhooks. The row stays, so that readers of events can go on after
 * it.
 */
function wipesOf(jobTable: string): readonly string[] {
  const isDone = `e.data <> '' and ${TELLS_OF_PERSON} and not exists (select 1 from outbox o where o.event_id = e.id)
    and not exists (select 1 from ${jobTable} j where j.data ->> 'eventId' = e.id) and e.id not in (${BEGUN_EVENTS})`
  return [
    `update events set data = '' where position in (
      select e.position from channel_numbers n join events e on ${isOf('number', 'n.id')}
      where n.pii_mode <> 'STORE_INDEFINITE' and ${isWithheld('e.created_at', '$1')} and ${isDone} limit ${PURGE_BATCH}) returning 1`,
    `update events set data = '' where position in (
      select e.position from (select distinct number_id from webhooks where removed_at is not null) w join events e on ${isOf('number', 'w.number_id')} where ${isDone} limit ${PURGE_BATCH}) returning 1`,
  ]
}

/**
 * Deletes events and logs past their retention: whole months where the table is partitioned by month, rows elsewhere.
 * Answers how many of either.
 */
async function endOld({ database, clock }: Pick<Engine, 'database' | 'clock'>, now: string): Promise<number> {
  let count = 0
  for (const table of TABLES_BY_MONTH) {
    const days = table === 'events' ? TOLD_DAYS + BODY_DAYS : TOLD_DAYS
    const { dropped, rest } = await dropMonths(database, table, clock.now(), days)
    count +=
      dropped
      + (await purgeRows(
        database,
        `delete from ${rest} where ctid = any(array(
      select ctid from ${rest} where created_at < $1::timestamptz - interval '${days} days' limit ${PURGE_BATCH})) returning 1`,
        now,
      ))
  }
  return count
}

/** Deletes what is past its retention and empties what privacy withholds. `jobTable` holds the waiting jobs. */
export async function purgeDeliveries(
  { database, clock }: Pick<Engine, 'database' | 'clock'>,
  jobTable: string,
): Promise<number> {
  const now = new Date(clock.now()).toISOString()
  let count =
    (await endOld({ database, clock }, now))
    + (await purgePast(database, WebhookEntity, ['removedAt'], clock.now() - KEEP_REMOVED_MS))
  for (const step of [...STEPS, ...wipesOf(jobTable)]) count += await purgeRows(database, step, now)
  await vacuumEmbedded(database, ['outbox', 'delivery_batches', 'webhooks', 'webhook_logs', 'events', jobTable])
  return count
}

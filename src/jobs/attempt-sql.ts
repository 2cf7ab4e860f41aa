import type { DisabledReason, StoredLog, WebhookId } from '../domain/webhook.ts'
import { storableText } from '../domain/storable.ts'
import type { SettledAttempt } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'
import { dayOf } from '../storage/engine/statement.ts'
import { isErasable, WITHHELD } from '../storage/events/privacy.ts'
import { isBegun } from './fetched-batches.ts'
import { tallyCte } from '../storage/usage/tally.ts'

/** The changes of one webhook's row that a batch of attempts makes. */
interface Health {
  readonly webhook_id: WebhookId
  last_at: Date
  /** True when an attempt of the batch succeeded: earlier failures no longer count. */
  recovered: boolean
  /** First failure since the last success of the batch; null without one. */
  failing_since: Date | null
  reason: DisabledReason | null
}

/**
 * Our choice: a failed webhook.test is no failure of deliveries and begins no run of failures; one that succeeds ends
 * it.
 */
function healthOf(attempts: readonly SettledAttempt[]): Health[] {
  const byWebhook = new Map<WebhookId, Health>()
  const logged = attempts.flatMap(({ jobId, log, disable }) =>
    log === null ? [] : [{ isTest: jobId === null, log, disable }],
  )
  for (const { isTest, log, disable } of logged.toSorted(
    (a, b) => a.log.createdAt.getTime() - b.log.createdAt.getTime(),
  )) {
    const health = byWebhook.get(log.webhookId) ?? {
      webhook_id: log.webhookId,
      last_at: log.createdAt,
      recovered: false,
      failing_since: null,
      reason: null,
    }
    byWebhook.set(log.webhookId, health)
    health.last_at = log.createdAt
    health.reason = disable ?? health.reason
    if (log.status === 'SUCCESS') {
      health.recovered = true
      health.failing_since = null
    } else if (!isTest) {
      health.failing_since ??= log.createdAt
    }
  }
  return [...byWebhook.values()]
}

/** SQL of the attempts in the form that usage takes; a webhook.test is none ([usage.objects.5]). */
const USED = `select t.tenant_id, ${dayOf('l."createdAt"')} as day, t.number_id, 'deliveries.' || u.name as metric, 1 as amount
      from given l join touched t on t.id = l."webhookId" cross join lateral (values ('attempts'), (l."endsAs")) as u (name)
      where not l."isTest" and u.name is not null`

/**
 * Locks webhooks in the order of their ids, so that nodes that settle at once do not deadlock. An attempt of a webhook
 * that was deleted meanwhile leaves nothing. Events that can be erased are locked too, so that an eraser waits and then
 * finds the log. The log of an event that was erased while it was delivered keeps neither payload nor response.
 */
const STORE_ATTEMPTS = `with health as (
    select * from json_to_recordset($2::json) as h (webhook_id text, last_at timestamptz, recovered boolean, failing_since timestamptz, reason text)
  ), locked as (
    select w.id from webhooks w where w.id in (select webhook_id from health) order by w.id for no key update
  ), touched as (
    update webhooks w set
      last_triggered = greatest(w.last_triggered, h.last_at),
      failing_since = case when h.recovered then h.failing_since else coalesce(w.failing_since, h.failing_since) end,
      disabled_reason = case when w.active and h.reason is not null then h.reason else w.disabled_reason end,
      updated_at = case when w.active and h.reason is not null then greatest(w.updated_at, h.last_at) else w.updated_at end,
      active = w.active and h.reason is null
    from health h join locked on locked.id = h.webhook_id
    where w.id = h.webhook_id
    returning w.id, w.tenant_id, w.number_id
  ), given as (
    select * from json_to_recordset($1::json) as l (
      id text, "webhookId" text, "eventId" text, event text, attempt integer, status text, "statusCode" integer,
      payload text, response text, "durationMs" integer, "createdAt" timestamptz, "endsAs" text, "isTest" boolean, "isQueued" boolean)
  ), erased as materialized (
    select id from (select e.id, e.data from events e where e.id in (select "eventId" from given where ${isErasable('event')}) order by e.id for share) e where e.data = '${WITHHELD}'
  ), ${tallyCte(USED)}
  insert into webhook_logs (id, webhook_id, event_id, event, attempt, status, status_code, payload, response, duration_ms, created_at, is_queued)
  select l.id, l."webhookId", l."eventId", l.event, l.attempt, l.status, l."statusCode",
    case when l."eventId" in (select id from erased) then '' else l.payload end, case when l."eventId" in (select id from erased) then '' else l.response end, l."durationMs", l."createdAt", l."isQueued"
  from given l where l."webhookId" in (select id from touched)`

/**
 * A log with whether its attempt was a job of the queue, and with what it means for usage: how its delivery ends with
 * it, null when it is tried again.
 */
function loggedOf({ jobId, retry }: SettledAttempt, log: StoredLog) {
  const endsAs = log.status === 'SUCCESS' ? 'succeeded' : retry === null ? 'failed' : null
  return { ...log, endsAs, isTest: jobId === null, isQueued: jobId === null || !isBegun(jobId) }
}

/** Stores the logs and the changes of their webhooks' rows, in one statement however many there are. */
export async function storeAttempts(session: SqlSession, attempts: readonly SettledAttempt[]): Promise<void> {
  const logs = attempts.flatMap((attempt) => (attempt.log === null ? [] : [loggedOf(attempt, attempt.log)]))
  if (logs.length === 0) return
  // Receivers answer with any bytes; what PostgreSQL cannot keep would fail the whole batch.
  const storable = logs.map((log) => ({
    ...log,
    payload: log.payload === null ? null : storableText(log.payload),
    response: storableText(log.response),
    statusCode: Math.round(log.statusCode),
    durationMs: Math.round(log.durationMs),
  }))
  await session.query(STORE_ATTEMPTS, [JSON.stringify(storable), JSON.stringify(healthOf(attempts))])
}

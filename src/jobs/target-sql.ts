import { LAST_EVENTS, type StoredEvent } from '../domain/events.ts'
import type { EventId, NumberId, TenantId } from '../domain/ids.ts'
import type { PiiMode } from '../domain/number.ts'
import type { WebhookId } from '../domain/webhook.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { DeliveryJob, DeliveryTarget } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'
import { toDateOrNull } from '../storage/engine/rows.ts'
import type { RecordOf, RowOf } from '../storage/engine/rows-of.ts'
import { isTold, toStoredEvent, type EventRow } from '../storage/events/store.ts'
import type { WebhookEntity } from '../storage/webhooks/entity.ts'
import { secretContext } from '../storage/webhooks/store.ts'

export interface Loaded {
  readonly events: ReadonlyMap<EventId, StoredEvent>
  readonly targets: ReadonlyMap<WebhookId, DeliveryTarget>
}

/** `valid_previous` is the sealed secret before the last, null once it no longer signs. */
type TargetRow = Pick<RowOf<RecordOf<typeof WebhookEntity>>, 'url' | 'sealed_secret' | 'failing_since'> & {
  readonly webhook_id: WebhookId
  readonly webhook_tenant: TenantId
  readonly webhook_number: NumberId
  readonly valid_previous: string | null
  readonly pii_mode: PiiMode
}

/**
 * An event and a target. The columns of the event are null when it is gone; its data is also null when an earlier row
 * of the same event has it.
 */
type PairRow = TargetRow & (EventRow | { readonly id: EventId; readonly data: null } | { readonly id: null })

/**
 * Selects pairs that may be delivered. Webhook and event must belong to the tenant that the job names, and to one
 * number. A webhook of a removed number gets its last events only. Our choice: logs of those webhooks keep no bodies,
 * because nobody can read them. A wiped event counts as gone.
 */
const LOAD = `select e.id, e.tenant_id, e.number_id, e.event, e.created_at, e.trace,
    case when row_number() over (partition by e.id) = 1 then e.data end as data,
    w.id as webhook_id, w.tenant_id as webhook_tenant, w.number_id as webhook_number, w.url, w.sealed_secret, w.failing_since,
    case when w.previous_until > $2::timestamptz then w.sealed_previous_secret end as valid_previous,
    coalesce(n.pii_mode, 'RELAY_ONLY') as pii_mode
  from json_to_recordset($1::json) as job ("eventId" text, "webhookId" text, "tenantId" text)
  join webhooks w on w.id = job."webhookId" and w.tenant_id = job."tenantId" and (w.active or $3::boolean)
  left join events e on e.id = job."eventId" and e.tenant_id = w.tenant_id and e.number_id = w.number_id and e.data <> '' and ${isTold('e.created_at', '$2::timestamptz')}
  left join channel_numbers n on n.id = w.number_id
  where w.removed_at is null or e.event in (${LAST_EVENTS.map((name) => `'${name}'`).join(', ')})`

function toTarget(row: TargetRow, cipher: Cipher): DeliveryTarget {
  const sealed = row.valid_previous === null ? [row.sealed_secret] : [row.sealed_secret, row.valid_previous]
  return {
    webhookId: row.webhook_id,
    tenantId: row.webhook_tenant,
    numberId: row.webhook_number,
    url: row.url,
    secrets: sealed.map((text) => cipher.open(text, secretContext(row.webhook_id))),
    failingSince: toDateOrNull(row.failing_since),
    piiMode: row.pii_mode,
  }
}

/** Loads the events and targets of a batch in one statement. */
export async function loadPairs(
  session: SqlSession,
  cipher: Cipher,
  nowMs: number,
  jobs: readonly DeliveryJob[],
  isPausedToo: boolean,
): Promise<Loaded> {
  const events = new Map<EventId, StoredEvent>()
  const targets = new Map<WebhookId, DeliveryTarget>()
  if (jobs.length === 0) return { events, targets }
  const pairs = jobs.map(({ eventId, webhookId, tenantId }) => ({ eventId, webhookId, tenantId }))
  const rows = await session.query<PairRow>(LOAD, [JSON.stringify(pairs), new Date(nowMs).toISOString(), isPausedToo])
  for (const row of rows) {
    if (!targets.has(row.webhook_id)) targets.set(row.webhook_id, toTarget(row, cipher))
    if (row.id !== null && row.data !== null) events.set(row.id, toStoredEvent(row))
  }
  return { events, targets }
}

import { defineEntity, p } from '@mikro-orm/core'
import type { EventName } from '../../domain/events.ts'
import type { EventId } from '../../domain/ids.ts'
import type { NativeField } from '../../domain/upstream-fields.ts'
import type { DeliveryLog, DeliveryLogId, WebhookId } from '../../domain/webhook.ts'

/** One attempt of a delivery. */
export const WebhookLogEntity = defineEntity({
  name: 'WebhookLog',
  tableName: 'webhook_logs',
  indexes: [
    { name: 'webhook_logs_age', type: 'brin', properties: ['createdAt'] },
    {
      name: 'webhook_logs_newest',
      columns: [{ name: 'webhook_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
    },
    { name: 'webhook_logs_of_leads', properties: ['eventId'], where: "event = 'lead.received'" },
  ],
  properties: {
    id: p.text().$type<DeliveryLogId>().primary(),
    webhookId: p.text().$type<WebhookId>(),
    eventId: p.text().$type<EventId>(),
    event: p.text().$type<EventName | NativeField>(),
    attempt: p.integer(),
    status: p.text().$type<DeliveryLog['status']>(),
    statusCode: p.integer(),
    payload: p.text(),
    response: p.text(),
    durationMs: p.integer(),
    createdAt: p.datetime(3),
  },
})

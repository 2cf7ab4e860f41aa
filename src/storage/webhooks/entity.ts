import { defineEntity, p } from '@mikro-orm/core'
import type { EventName } from '../../domain/events.ts'
import type { EventId, NodeId, NumberId, TenantId } from '../../domain/ids.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { NativeField } from '../../domain/upstream-fields.ts'
import { OF_NUMBER } from '../engine/scope.ts'
import type { DeliveryLog, DeliveryLogId, DisabledReason, SubscribedEvent, WebhookId } from '../../domain/webhook.ts'

export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  filters: OF_NUMBER,
  indexes: [
    { name: 'webhooks_number', properties: ['numberId'] },
    { name: 'webhooks_removed', properties: ['removedAt'], where: 'removed_at is not null' },
    { name: 'webhooks_tenant', properties: ['tenantId'] },
  ],
  properties: {
    id: p.text().$type<WebhookId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    /** Kind of its number, which may be gone when number.removed is matched. */
    provider: p.text().$type<ProviderKind>(),
    name: p.text().nullable(),
    url: p.text(),
    active: p.boolean().default(true),
    events: p.json<SubscribedEvent[]>(),
    sealedSecret: p.text(),
    /** The secret before the last rotation; it signs too until `previousUntil`. */
    sealedPreviousSecret: p.text().nullable(),
    previousUntil: p.datetime(3).nullable(),
    lastTriggered: p.datetime(3).nullable(),
    /** Start of the present run of failures; null when the last attempt succeeded. */
    failingSince: p.datetime(3).nullable(),
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    /** Set when its number was removed; from then it is invisible and gets only the last events of the number. */
    removedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/**
 * Deliveries that a node has fetched and not settled: one row per batch, so that after a crash the node gives its own
 * back at once.
 */
export const DeliveryBatchEntity = defineEntity({
  name: 'DeliveryBatch',
  tableName: 'delivery_batches',
  properties: {
    id: p.text().primary(),
    nodeId: p.text().$type<NodeId>(),
    jobs: p.text(),
    /** First tries without a job in the queue, as JSON; null for jobs that were fetched. */
    begun: p.text().nullable(),
    fetchedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** One attempt of a delivery. */
export const WebhookLogEntity = defineEntity({
  name: 'WebhookLog',
  tableName: 'webhook_logs',
  indexes: [
    { name: 'webhook_logs_age', type: 'brin', properties: ['createdAt'] },
    {
      name: 'webhook_logs_failed',
      columns: [{ name: 'webhook_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
      where: "status = 'FAILED'",
    },
    { name: 'webhook_logs_event', properties: ['eventId', 'webhookId'], where: 'is_queued' },
    { name: 'webhook_logs_of_leads', properties: ['eventId'], where: "event = 'lead.received'" },
  ],
  properties: {
    webhookId: p.text().$type<WebhookId>().primary(),
    createdAt: p.datetime(3).primary(),
    id: p.text().$type<DeliveryLogId>().primary(),
    eventId: p.text().$type<EventId>(),
    event: p.text().$type<EventName | NativeField>(),
    attempt: p.integer(),
    status: p.text().$type<DeliveryLog['status']>(),
    statusCode: p.integer(),
    /** Null when it is the body that its event makes. */
    payload: p.text().nullable(),
    response: p.text(),
    durationMs: p.integer(),
    /** False for a first try that was no job of the queue; it is nobody's later attempt. */
    isQueued: p.boolean().default(true),
  },
})

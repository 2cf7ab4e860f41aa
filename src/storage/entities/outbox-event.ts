import { defineEntity, p } from '@mikro-orm/core'
import type { EventName } from '../../domain/events.ts'
import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'

/** An event waiting for delivery, written with the state that caused it (architecture 5). */
export const OutboxEventEntity = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox',
  indexes: [{ name: 'outbox_tenant', properties: ['tenantId', 'position'] }],
  properties: {
    /** Rises with each event of one writer; the order of delivery. */
    position: p.bigint('number').primary().autoincrement(),
    id: p.text().$type<EventId>().unique('outbox_id'),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    event: p.text().$type<EventName>(),
    /** The envelope's `data` as JSON text, byte for byte as it will be delivered. */
    data: p.text(),
    createdAt: p.datetime(3),
  },
})

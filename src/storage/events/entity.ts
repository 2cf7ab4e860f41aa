import { defineEntity, p } from '@mikro-orm/core'
import type { StoredEvent } from '../../domain/events.ts'
import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Trace } from '../../domain/trace.ts'

/** An event, written in one transaction with the state that caused it and kept for 30 days. */
export const StoredEventEntity = defineEntity({
  name: 'StoredEvent',
  tableName: 'events',
  indexes: [
    { name: 'events_age', type: 'brin', properties: ['createdAt'] },
    {
      name: 'events_number',
      expression: 'create index events_number on events (hashtextextended(number_id, 0), xid, position)',
    },
    {
      name: 'events_tenant',
      expression: 'create index events_tenant on events (hashtextextended(tenant_id, 0), xid, position)',
    },
  ],
  properties: {
    /** Position, which rises with each event of one transaction. */
    position: p.bigint('number').generated('identity'),
    id: p.text().$type<EventId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    event: p.text().$type<StoredEvent['event']>(),
    /**
     * The envelope's `data` as JSON text, of a status the list of its values (`status-data.ts`), or a native change's
     * whole envelope, byte for byte as it will be delivered.
     */
    data: p.text(),
    createdAt: p.datetime(3),
    /** Null when nothing is recorded. */
    trace: p.text().$type<Trace>().nullable(),
    /** Id of the transaction that stored it. */
    xid: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()'),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { EventId } from '../../domain/ids.ts'

/** An event that the relay has not taken yet; one statement writes this row and the event's. */
export const OutboxEntryEntity = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox',
  properties: {
    position: p.bigint('number').primary().autoincrement(),
    eventId: p.text().$type<EventId>(),
  },
})

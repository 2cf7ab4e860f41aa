import { defineEntity, p } from '@mikro-orm/core'
import type { MessageBatchId, NumberId, TenantId } from '../../domain/ids.ts'

/** Messages that were accepted together. Its messages name it. */
export const MessageBatchEntity = defineEntity({
  name: 'MessageBatch',
  tableName: 'message_batches',
  indexes: [{ name: 'message_batches_number', properties: ['numberId'] }],
  properties: {
    id: p.text().$type<MessageBatchId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    /** Most messages that are begun in a minute; null for as many as the number sends. */
    perMinute: p.integer().nullable(),
    /** Messages that were accepted. */
    accepted: p.integer(),
    /** When a message of it was last begun; null before the first. */
    begunAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { NodeId } from '../../domain/ids.ts'

/** What a node has fetched and not settled: one row a batch, so that after a crash it gives its own back at once. */
export const DeliveryBatchEntity = defineEntity({
  name: 'DeliveryBatch',
  tableName: 'delivery_batches',
  indexes: [{ name: 'delivery_batches_node', properties: ['nodeId'] }],
  properties: {
    id: p.text().primary(),
    nodeId: p.text().$type<NodeId>(),
    jobs: p.text(),
    fetchedAt: p.datetime(3).defaultRaw('now()'),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { NodeId } from '../../domain/ids.ts'

/** Alive until `expiresAt`, by the database's time. `boot` is another one each time the process starts. */
export const NodeEntity = defineEntity({
  name: 'Node',
  tableName: 'nodes',
  properties: {
    nodeId: p.text().$type<NodeId>().primary(),
    boot: p.text(),
    isLeaving: p.boolean().default(false),
    expiresAt: p.datetime().columnType('timestamptz'),
  },
})

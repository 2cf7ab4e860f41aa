import { defineEntity, p } from '@mikro-orm/core'
import type { NodeId, NumberId } from '../../domain/ids.ts'

/** Ownership of a number ([nodes.placement.5]); times are the database's. */
export const NumberLeaseEntity = defineEntity({
  name: 'NumberLease',
  tableName: 'number_leases',
  indexes: [
    { name: 'number_leases_node', properties: ['nodeId'] },
    { name: 'number_leases_wanted', properties: ['numberId'], where: 'is_wanted' },
  ],
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    /** Null once released. */
    nodeId: p.text().$type<NodeId>().nullable(),
    token: p.bigint('number'),
    expiresAt: p.datetime().columnType('timestamptz'),
    /** True when the number was handed over and another node shall take it at once. */
    isWanted: p.boolean().default(false),
  },
})

/**
 * A node, which is alive until `expiresAt` by the database's time. `boot` differs from start to start of the process.
 */
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

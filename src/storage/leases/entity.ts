import { defineEntity, p } from '@mikro-orm/core'
import type { NodeId, NumberId } from '../../domain/ids.ts'

/** Ownership of a number (architecture 6); the time is the database's. */
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
    /** Handed over: another node shall take it at once. */
    isWanted: p.boolean().default(false),
  },
})

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

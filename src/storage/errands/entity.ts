import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId } from '../../domain/ids.ts'

/**
 * What the owner of a number is still to be told, as JSON. `dueAt` is when it is tried next; while somebody tries it,
 * `dueAt` is when that try's lease ends.
 */
export const NumberErrandEntity = defineEntity({
  name: 'NumberErrand',
  tableName: 'number_errands',
  indexes: [
    { name: 'number_errands_due', properties: ['dueAt'] },
    { name: 'number_errands_number', properties: ['numberId'] },
  ],
  properties: {
    id: p.bigint('number').primary().generated('identity'),
    numberId: p.text().$type<NumberId>(),
    errand: p.text(),
    createdAt: p.datetime().columnType('timestamptz'),
    dueAt: p.datetime().columnType('timestamptz'),
    tries: p.integer().default(0),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { SetAsideLine } from '../../domain/set-aside.ts'

/**
 * `item`: which of its line, in the line's own words. `sealed`: all that the line held of it; null where a row
 * elsewhere still has it.
 */
export const SetAsideEntity = defineEntity({
  name: 'SetAside',
  tableName: 'set_aside',
  uniques: [{ name: 'set_aside_item', properties: ['line', 'item'] }],
  indexes: [{ name: 'set_aside_number', properties: ['numberId'], where: 'number_id is not null' }],
  properties: {
    id: p.bigint('number').primary().generated('identity'),
    line: p.text().$type<SetAsideLine>(),
    item: p.text(),
    tenantId: p.text().$type<TenantId>().nullable(),
    numberId: p.text().$type<NumberId>().nullable(),
    accountId: p.text().nullable(),
    sealed: p.text().nullable(),
    reason: p.text(),
    tries: p.integer(),
    createdAt: p.datetime(3),
  },
})

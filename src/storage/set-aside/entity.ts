import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { SetAsideLine } from '../../domain/set-aside.ts'

/**
 * An item that was set aside. `item` names it within its line. `sealed` is all that the line held of it; null when a
 * row elsewhere still has it.
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

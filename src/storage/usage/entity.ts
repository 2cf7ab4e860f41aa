import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'

/** What a number used of one kind on a day of UTC. */
export const UsageDayEntity = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_days',
  properties: {
    tenantId: p.text().$type<TenantId>().primary(),
    day: p.date().primary(),
    numberId: p.text().$type<NumberId>().primary(),
    metric: p.text().primary(),
    amount: p.bigint('number'),
  },
})

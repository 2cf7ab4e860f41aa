import { defineEntity, p } from '@mikro-orm/core'
import type { TenantId } from '../../domain/ids.ts'
import type { ChecklistStep } from '../../domain/overview.ts'

export const TenantEntity = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    id: p.text().$type<TenantId>().primary(),
    name: p.text(),
    plan: p.text().default('unlimited'),
    /** Null when there is no limit. */
    maxNumbers: p.integer().nullable(),
    /** Null when the defaults of domain/limits.ts apply. */
    requestsPerMinute: p.integer().nullable(),
    sendsPerMinute: p.integer().nullable(),
    createdAt: p.datetime(3),
    /** Steps of the checklist that the tenant was seen to have done. */
    stepsDone: p.array().$type<ChecklistStep[]>().defaultRaw(`'{}'`),
  },
})

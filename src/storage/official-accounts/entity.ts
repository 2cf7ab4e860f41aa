import { defineEntity, p } from '@mikro-orm/core'
import type { TenantId } from '../../domain/ids.ts'

/**
 * An account in a tenant. It comes with the first number of the account in the tenant and goes with the last.
 * Connecting or removing a number locks it.
 */
export const OfficialAccountEntity = defineEntity({
  name: 'OfficialAccount',
  tableName: 'official_accounts',
  properties: {
    accountId: p.text().primary(),
    tenantId: p.text().$type<TenantId>().primary(),
    templatesListedAt: p.datetime(3).nullable(),
    templatesLeasedUntil: p.datetime(3).nullable(),
    flowsListedAt: p.datetime(3).nullable(),
    flowsLeasedUntil: p.datetime(3).nullable(),
    /** Upstream takes its MARKETING templates at the endpoint for them, as far as is known. */
    isMarketingOpen: p.boolean().default(false),
    /** When upstream is asked for that again; null for at once. */
    marketingAskAt: p.datetime(3).nullable(),
  },
})

/** A template or a Flow that was removed here, by upstream's id. */
export const OfficialRemovalEntity = defineEntity({
  name: 'OfficialRemoval',
  tableName: 'official_removals',
  properties: {
    accountId: p.text().primary(),
    tenantId: p.text().$type<TenantId>().primary(),
    externalId: p.text().primary(),
    removedAt: p.datetime(3),
  },
})

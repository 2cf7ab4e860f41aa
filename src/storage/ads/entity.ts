import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId } from '../../domain/ids.ts'
import type { AdAccount } from '../../ports/official/pages.ts'

/**
 * An ad as a number knows it. `dueAt` is when upstream is to be asked for its names, `leasedUntil` when the ask under
 * way ends; each is null when there is none.
 */
export const AdEntity = defineEntity({
  name: 'Ad',
  tableName: 'ads',
  indexes: [
    { name: 'ads_due', properties: ['numberId', 'dueAt'], where: 'due_at is not null' },
    { name: 'ads_leased', properties: ['numberId', 'leasedUntil'], where: 'leased_until is not null' },
  ],
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    adId: p.text().primary(),
    pageId: p.text().nullable(),
    adName: p.text().nullable(),
    adsetId: p.text().nullable(),
    adsetName: p.text().nullable(),
    campaignId: p.text().nullable(),
    campaignName: p.text().nullable(),
    namesResolvedAt: p.datetime(3).nullable(),
    isRefused: p.boolean().default(false),
    askedAt: p.datetime(3).nullable(),
    clickedAt: p.datetime(3),
    tries: p.integer().default(0),
    dueAt: p.datetime(3).nullable(),
    leasedUntil: p.datetime(3).nullable(),
  },
})

/** The token by which a number asks for the names of ads. */
export const AdAccessEntity = defineEntity({
  name: 'AdAccess',
  tableName: 'ad_access',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    sealedToken: p.text(),
    adAccounts: p.json<readonly AdAccount[]>().columnType('text'),
    checkedAt: p.datetime(3),
  },
})

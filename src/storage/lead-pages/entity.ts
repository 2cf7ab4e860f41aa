import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AutoSend, PageWebhookStatus } from '../../domain/lead.ts'
import { OF_NUMBER } from '../engine/scope.ts'

/** A linked Page; a Page is linked once in the whole installation ([leads.scope.2]). */
export const LeadPageEntity = defineEntity({
  name: 'LeadPage',
  tableName: 'lead_pages',
  filters: OF_NUMBER,
  indexes: [
    { name: 'lead_pages_of_app', properties: ['appId'] },
    { name: 'lead_pages_of_number', properties: ['numberId'] },
    { name: 'lead_pages_of_tenant', properties: ['tenantId'] },
    { name: 'lead_pages_sweep', properties: ['sweepAt'], where: 'is_token_valid' },
  ],
  properties: {
    pageId: p.text().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    pageName: p.text().nullable(),
    appId: p.text(),
    sealedToken: p.text(),
    tokenVersion: p.integer().default(1),
    isTokenValid: p.boolean().default(true),
    sealedAppSecret: p.text(),
    appSecretDigest: p.text(),
    webhookStatus: p.text().$type<PageWebhookStatus>(),
    lastLeadAt: p.datetime(3).nullable(),
    sweepAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** A tenant's settings of a form. JSON is kept as text, as that of templates is. */
export const LeadFormEntity = defineEntity({
  name: 'LeadForm',
  tableName: 'lead_forms',
  properties: {
    pageId: p.text().primary(),
    formId: p.text().primary(),
    consentKey: p.text().nullable(),
    autoSend: p.json<AutoSend>().columnType('text').nullable(),
    updatedAt: p.datetime(3),
  },
})

/** A notice of a lead that is not fetched yet. It has no personal data. */
export const LeadNoticeEntity = defineEntity({
  name: 'LeadNotice',
  tableName: 'lead_notices',
  indexes: [
    { name: 'lead_notices_due', properties: ['pageId', 'dueAt'] },
    { name: 'lead_notices_taken', properties: ['takenBy'], where: 'taken_by is not null' },
  ],
  properties: {
    leadgenId: p.text().primary(),
    pageId: p.text().primary(),
    formId: p.text().nullable(),
    adId: p.text().nullable(),
    tries: p.integer().default(0),
    dueAt: p.datetime(3),
    noticedAt: p.datetime(3),
    takenBy: p.text().nullable(),
  },
})

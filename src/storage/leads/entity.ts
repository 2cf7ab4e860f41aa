import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, EventId, LeadId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { AutoSendStatus, LeadField, LeadPlatform, LeadSource } from '../../domain/lead.ts'

/**
 * A lead. `contactId` is the conversation that its phone would have, known without the phone. An erased lead keeps its
 * ids, so that it is never imported again ([leads.erasing.2]).
 */
export const LeadEntity = defineEntity({
  name: 'Lead',
  tableName: 'leads',
  indexes: [
    {
      name: 'leads_answered',
      properties: ['contactId', 'formId', 'receivedAt'],
      where: "auto_send_status in ('pending', 'sent')",
    },
    { name: 'leads_auto_sends', properties: ['autoSendDueAt'], where: 'auto_send_due_at is not null' },
    { name: 'leads_erased', properties: ['numberId'], where: 'erased_at is not null' },
    { name: 'leads_kept', properties: ['numberId', 'createdAt'], where: 'not is_redacted and erased_at is null' },
    {
      name: 'leads_of_ad',
      columns: [
        { name: 'number_id' },
        { name: 'ad_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      where: 'erased_at is null and ad_id is not null',
    },
    {
      name: 'leads_of_form',
      columns: [
        { name: 'number_id' },
        { name: 'form_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      where: 'erased_at is null',
    },
    {
      name: 'leads_of_form_and_ad',
      columns: [
        { name: 'number_id' },
        { name: 'ad_id' },
        { name: 'form_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      where: 'erased_at is null and ad_id is not null',
    },
    {
      name: 'leads_of_number',
      columns: [{ name: 'number_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
      where: 'erased_at is null',
    },
    {
      name: 'leads_of_page',
      columns: [
        { name: 'number_id' },
        { name: 'page_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      where: 'erased_at is null',
    },
  ],
  properties: {
    id: p.text().$type<LeadId>().primary(),
    leadgenId: p.text().unique('leads_leadgen'),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    pageId: p.text(),
    pageName: p.text().nullable(),
    formId: p.text(),
    formName: p.text().nullable(),
    adId: p.text().nullable(),
    adName: p.text().nullable(),
    adsetName: p.text().nullable(),
    campaignName: p.text().nullable(),
    platform: p.text().$type<LeadPlatform>().nullable(),
    isOrganic: p.boolean().nullable(),
    fullName: p.text().nullable(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    fields: p.json<readonly LeadField[]>().columnType('text').default('[]'),
    consentGiven: p.boolean().nullable(),
    contactId: p.text().$type<ConversationId>().nullable(),
    autoSendStatus: p.text().$type<AutoSendStatus>(),
    autoSendReason: p.text().nullable(),
    sealedAutoSend: p.text().nullable(),
    autoSendMessageId: p.text().$type<MessageId>().nullable(),
    autoSendDueAt: p.datetime(3).nullable(),
    source: p.text().$type<LeadSource>(),
    isRedacted: p.boolean(),
    eventId: p.text().$type<EventId>().nullable(),
    createdAt: p.datetime(3),
    receivedAt: p.datetime(3),
    erasedAt: p.datetime(3).nullable(),
  },
})

/**
 * How many leads there are, by day of UTC. `scope` is empty for all of the number, else any of `form`, `ad` and `page`
 * with their ids (`form+page 1 2`).
 */
export const LeadCountsEntity = defineEntity({
  name: 'LeadCounts',
  tableName: 'lead_counts',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    scope: p.text().primary(),
    day: p.date().primary(),
    leads: p.integer(),
  },
})

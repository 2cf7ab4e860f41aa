import { SAMPLE } from '../samples.ts'

/** The example of a lead, here and in `lead.received`. */
export const LEAD = {
  id: SAMPLE.leadId,
  leadgenId: '1203948573629104857',
  channelNumberId: SAMPLE.numberId,
  pageId: SAMPLE.pageId,
  pageName: 'Acme',
  formId: SAMPLE.formId,
  formName: 'Test drive',
  adId: '120210987654321098',
  adName: 'Spring',
  adsetName: 'São Paulo',
  campaignName: 'Cars 2026',
  platform: 'fb',
  isOrganic: false,
  createdAt: SAMPLE.createdAt,
  fullName: 'Ana Souza',
  email: 'ana@example.com',
  phone: '(11) 99999-0001',
  fields: [
    { key: 'full_name', label: 'Full name', values: ['Ana Souza'] },
    { key: 'email', label: 'Email', values: ['ana@example.com'] },
    { key: 'phone_number', label: 'Phone number', values: ['(11) 99999-0001'] },
    { key: 'which_model', label: 'Which model?', values: ['Model S'] },
  ],
  consentGiven: true,
  conversationId: null,
  autoSendStatus: 'pending',
  autoSendReason: null,
  autoSendMessageId: null,
  source: 'webhook',
  redacted: false,
  namesResolvedAt: SAMPLE.soonAfter,
  receivedAt: SAMPLE.soonAfter,
}

const ANSWERED = {
  ...LEAD,
  autoSendStatus: 'sent',
  autoSendMessageId: SAMPLE.messageId,
  conversationId: SAMPLE.conversationId,
}
const REDACTED = { ...ANSWERED, fullName: null, email: null, phone: null, fields: [], redacted: true }

const page = { total: 1, page: 1, pageSize: 30, totalPages: 1 }
export const LIST = {
  Whole: { leads: [ANSWERED], ...page },
  'RELAY_ONLY number': { leads: [REDACTED], ...page, notice: 'PII_RELAY_ONLY' },
}
export const READ = {
  Whole: { lead: ANSWERED },
  'Past the days that the number keeps': { lead: REDACTED, notice: 'PII_RETENTION_WINDOW' },
}
export const DELETED = { deleted: true, id: SAMPLE.leadId }

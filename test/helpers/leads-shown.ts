import type { Script } from './people-scenes.ts'

export const AT = '2026-11-01T10:00:00.000Z'
/** A text that breaks pages which draw it as markup, reverse what is around it, or do not break lines. */
export const HOSTILE = `<img src=x onerror=alert(1)> \u202E${'w'.repeat(5_000)}`

/** A lead as the service answers it. */
export const LEAD = {
  id: 'lead_1',
  leadgenId: '1203948573629104857',
  channelNumberId: 'num_1',
  pageId: '700',
  pageName: 'Shop',
  formId: '800',
  formName: HOSTILE,
  adId: '900',
  adName: 'Spring',
  adsetName: 'Young',
  campaignName: 'Cars',
  platform: 'ig',
  isOrganic: false,
  createdAt: AT,
  fullName: 'Ana "Nana", of Acme',
  email: 'ana@acme.example',
  phone: '+5511999990000',
  fields: [
    { key: 'full_name', label: 'Your name', values: ['Ana "Nana", of Acme'] },
    { key: 'model', label: 'Which model?', values: ['=A1', HOSTILE] },
  ],
  consentGiven: true,
  conversationId: 'conv_1',
  autoSendStatus: 'sent',
  autoSendReason: null,
  autoSendMessageId: 'msg_1',
  source: 'webhook',
  redacted: false,
  namesResolvedAt: AT,
  receivedAt: AT,
}
export const SKIPPED = {
  ...LEAD,
  id: 'lead_2',
  formId: '801',
  formName: 'Newsletter',
  adId: null,
  adName: null,
  isOrganic: true,
  fields: [{ key: 'size', label: 'Size', values: ['M'] }],
  consentGiven: false,
  conversationId: null,
  autoSendStatus: 'skipped',
  autoSendReason: 'no_consent',
}
export const REDACTED = {
  ...SKIPPED,
  id: 'lead_3',
  fullName: null,
  email: null,
  phone: null,
  fields: [],
  redacted: true,
  consentGiven: null,
  autoSendStatus: 'failed',
  autoSendReason: 'window_closed',
}

/** What the API answers to the pages of leads: two numbers, and three leads. */
export const LEADS_SCRIPT: Script = {
  'GET /api/v1/numbers': {
    body: ['num_1', 'num_2'].map((id) => ({
      id,
      name: `Desk ${id}`,
      number: '5511999990001',
      provider: 'OFFICIAL',
      state: 'OPEN',
    })),
  },
  'GET /api/v1/leads/lead_1': { body: { lead: LEAD } },
  'GET /api/v1/leads/lead_3': { body: { lead: REDACTED, notice: 'PII_RELAY_ONLY' } },
  'GET /api/v1/leads': { body: { leads: [LEAD, SKIPPED, REDACTED], total: 3 } },
}

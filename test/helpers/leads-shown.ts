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

/** A linked Page as the service answers it. */
export const LINKED = {
  pageId: '700',
  pageName: 'Shop',
  channelNumberId: 'num_1',
  appId: '990',
  webhook: { url: 'https://service.example/webhooks/official/pages/990', status: 'SUBSCRIBED' },
  isTokenValid: true,
  pendingLeads: 0,
  lastLeadAt: AT,
  createdAt: AT,
  updatedAt: AT,
}
/** A form of it, answered by a template. */
export const FORM = {
  formId: '800',
  formName: HOSTILE,
  pageId: '700',
  status: 'ACTIVE',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'model', label: HOSTILE, type: 'CUSTOM' },
  ],
  checkboxes: [
    { key: 'may_message', text: 'You may write to me', isRequired: false },
    { key: 'news', text: HOSTILE, isRequired: false },
  ],
  consentKey: 'may_message',
  autoSend: {
    templateId: 'tpl_1',
    variables: { customer: { field: 'full_name', fallback: 'friend' }, shop: { value: 'Acme' } },
    onlyWithConsent: true,
    skipRecentConversationDays: 7,
  },
  hasBackfill: false,
}
const TEMPLATE = {
  id: 'tpl_1',
  name: 'welcome',
  language: 'en_US',
  category: 'UTILITY',
  officialStatus: 'APPROVED',
  sendable: true,
  variables: ['customer', 'shop'],
}

const BACKFILL = 'GET /api/v1/lead-pages/700/forms/800/backfill'
/** An import as the service answers it. */
export const RUNNING = {
  id: 'lbf_1',
  status: 'RUNNING',
  since: AT,
  until: AT,
  read: 200,
  imported: 180,
  duplicates: 20,
  waitingUntil: AT,
  errorCode: null,
  errorMessage: null,
  startedAt: AT,
  finishedAt: null,
}
/** Answers the newest import of the form; without one there is none. */
export function backfillSaid(backfill: object | null): Script {
  return {
    [BACKFILL]:
      backfill === null ? { status: 404, body: { error: 'no', code: 'BACKFILL_NOT_FOUND' } } : { body: backfill },
  }
}

/** What the API answers to the pages of linked Pages: one whose token is refused, and one with two forms. */
export const PAGES_SCRIPT: Script = {
  ...LEADS_SCRIPT,
  ...backfillSaid(null),
  'GET /api/v1/lead-pages': {
    body: [
      LINKED,
      { ...LINKED, pageId: '701', pageName: HOSTILE, isTokenValid: false, pendingLeads: 12, lastLeadAt: null },
    ],
  },
  'GET /api/v1/lead-pages/700': { body: LINKED },
  'GET /api/v1/lead-pages/700/forms': {
    body: { forms: [FORM, { ...FORM, formId: '801', formName: 'News', consentKey: null, autoSend: null }] },
  },
  'GET /api/v1/templates': {
    body: {
      templates: [
        TEMPLATE,
        { ...TEMPLATE, id: 'tpl_2', name: 'thanks', language: 'pt_BR', variables: ['1'] },
        { ...TEMPLATE, id: 'tpl_3', name: 'refused', officialStatus: 'REJECTED', sendable: false },
      ],
    },
  },
}

import { SAMPLE } from '../samples.ts'

const { pageId, formId, appId } = SAMPLE
export const LINK = {
  'OFFICIAL: the app of the number': {
    pageId,
    pageAccessToken: 'EAAGexample',
    channelNumberId: SAMPLE.officialNumberId,
  },
  'An app of its own': {
    pageId,
    pageAccessToken: 'EAAGexample',
    channelNumberId: SAMPLE.numberId,
    appId,
    appSecret: '0123456789abcdef0123456789abcdef',
  },
}

export const PAGE = {
  pageId,
  pageName: 'Acme',
  channelNumberId: SAMPLE.officialNumberId,
  appId,
  webhook: { url: `https://api.example.com/webhooks/official/pages/${appId}`, status: 'SUBSCRIBED' },
  isTokenValid: true,
  pendingLeads: 0,
  lastLeadAt: null,
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.createdAt,
}
export const LINKED = { ...PAGE, verifyToken: 'verify-example' }
export const READ = {
  Linked: { ...PAGE, pendingLeads: 1, lastLeadAt: SAMPLE.later },
  'The token is refused upstream': {
    ...PAGE,
    isTokenValid: false,
    pendingLeads: 12,
    lastLeadAt: SAMPLE.later,
    updatedAt: SAMPLE.later,
  },
}
export const CHANGE = {
  'Another token': { pageAccessToken: 'EAAGother' },
  'To another number': { channelNumberId: SAMPLE.numberId },
}
export const DELETED = { deleted: true, id: pageId }

export const SETTINGS = {
  'Answered with a template': {
    consentKey: 'may_message',
    autoSend: {
      templateId: SAMPLE.templateId,
      variables: { customer: { field: 'full_name', fallback: 'there' }, shop: { value: 'Acme' } },
      onlyWithConsent: true,
      skipRecentConversationDays: 7,
    },
  },
  'Nothing is sent': { consentKey: null, autoSend: null },
}
export const FORM = {
  formId,
  formName: 'Test drive',
  pageId,
  status: 'ACTIVE',
  questions: [
    { key: 'full_name', label: 'Full name', type: 'FULL_NAME' },
    { key: 'phone_number', label: 'Phone number', type: 'PHONE' },
  ],
  checkboxes: [{ key: 'may_message', text: 'You may send me messages', isRequired: false }],
  ...SETTINGS['Answered with a template'],
  hasBackfill: false,
}

export const BACKFILL = { 'The last 90 days': {}, 'One month': { since: '2026-01-01', until: '2026-01-31' } }
const RUNNING = {
  id: SAMPLE.backfillId,
  pageId,
  formId,
  status: 'RUNNING',
  since: '2025-10-07T12:00:00.000Z',
  until: SAMPLE.createdAt,
  read: 0,
  imported: 0,
  duplicates: 0,
  waitingUntil: null,
  errorCode: null,
  errorMessage: null,
  startedAt: SAMPLE.createdAt,
  finishedAt: null,
}
export const STARTED = RUNNING
export const BACKFILLS = {
  Running: { ...RUNNING, read: 200, imported: 180, duplicates: 20 },
  Done: { ...RUNNING, status: 'DONE', read: 240, imported: 215, duplicates: 25, finishedAt: SAMPLE.later },
  'Its token was refused': {
    ...RUNNING,
    status: 'FAILED',
    errorCode: 'LEAD_PAGE_REJECTED',
    errorMessage: 'Error validating access token',
    finishedAt: SAMPLE.later,
  },
}

import { backfillSaid, FORM, LEAD, LINKED, RUNNING } from '../leads-shown.ts'
import type { Script } from '../people-scenes.ts'

const AT = '2026-11-22T18:45:00.000Z'
const VISITOR = {
  ...LEAD,
  pageName: 'Acme & Söhne São Paulo',
  formName: 'Test drive, spring 2026',
  adName: 'Spring, young families',
  createdAt: AT,
  receivedAt: AT,
  fullName: 'Maria Aparecida dos Santos Oliveira',
  email: 'maria.aparecida.oliveira@clientes.example',
  fields: [
    { key: 'full_name', label: 'Your name', values: ['Maria Aparecida dos Santos Oliveira'] },
    { key: 'model', label: 'Which models interest you?', values: ['Berlina', 'Station wagon, 7 seats'] },
    { key: 'note', label: 'Anything else?', values: ['אני מעדיפה שיחה בבוקר'] },
  ],
}
const LEADS = [
  VISITOR,
  {
    ...VISITOR,
    id: 'lead_2',
    fullName: 'דוד לוי',
    autoSendStatus: 'skipped',
    autoSendReason: 'no_consent',
    consentGiven: false,
  },
  {
    ...VISITOR,
    id: 'lead_3',
    fullName: 'Bob',
    autoSendStatus: 'failed',
    autoSendReason: 'window_closed',
    adId: null,
    adName: null,
    isOrganic: true,
  },
  { ...VISITOR, id: 'lead_4', fullName: null, email: null, phone: null, redacted: true, consentGiven: null },
]
const PAGE = { ...LINKED, pageName: 'Acme & Söhne São Paulo', channelNumberId: 'num_2', lastLeadAt: AT }
const DRIVE = {
  ...FORM,
  formName: 'Test drive, spring 2026',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'model', label: 'Which models interest you?', type: 'CUSTOM' },
  ],
  checkboxes: [{ key: 'may_message', text: 'You may write to me about offers', isRequired: false }],
  autoSend: {
    templateId: 'tpl_1',
    variables: { customer: { field: 'full_name', fallback: 'friend' }, order: { value: '4711' } },
    onlyWithConsent: true,
    skipRecentConversationDays: 7,
  },
  hasBackfill: true,
}
const AD = {
  sourceId: '120210000000000001',
  sourceType: 'ad',
  conversations: 184,
  messages: 203,
  lastSourceUrl: 'https://fb.example/ads/1',
  lastHeadline: 'Marque um test drive neste fim de semana',
  lastMessageAt: AT,
  adName: 'Spring, young families',
  adsetName: 'São Paulo, 25 to 40',
  campaignName: 'Cars 2026',
  namesResolvedAt: AT,
}
const ADS = [
  AD,
  {
    ...AD,
    sourceId: '120210000000000002',
    conversations: 71,
    messages: 71,
    adName: 'מבצע סוף שנה',
    campaignName: 'Israel',
  },
  {
    ...AD,
    sourceId: '9',
    sourceType: 'post',
    conversations: 12,
    messages: 14,
    adName: null,
    adsetName: null,
    campaignName: null,
  },
]

export const LEADS_SCRIPT: Script = {
  'GET /api/v1/leads': { body: { leads: LEADS, total: LEADS.length } },
  'GET /api/v1/leads/lead_1': { body: { lead: VISITOR } },
  'GET /api/v1/lead-pages': {
    body: [PAGE, { ...PAGE, pageId: '701', pageName: 'Acme Tel Aviv', isTokenValid: false, pendingLeads: 12 }],
  },
  'GET /api/v1/lead-pages/700': { body: PAGE },
  'GET /api/v1/lead-pages/700/forms': {
    body: { forms: [DRIVE, { ...DRIVE, formId: '801', formName: 'News', consentKey: null, autoSend: null }] },
  },
  ...backfillSaid({ ...RUNNING, since: '2026-10-01T00:00:00.000Z', until: AT, waitingUntil: null }),
  'GET /api/v1/referrals/summary': { body: { ads: ADS, truncated: false } },
  'GET /api/v1/numbers/num_2/ad-access': {
    body: { shared: true, adAccounts: [{ id: 'act_1', name: 'Acme Brasil' }], checkedAt: AT },
  },
}

import { DRAFT, FAULT } from '../flows-shown.ts'
import type { Script } from '../people-scenes.ts'

const AT = '2026-11-19T14:20:00.000Z'
const ORDER = {
  id: 'tpl_1',
  name: 'order_ready',
  category: 'UTILITY',
  language: 'pt_BR',
  source: 'OFFICIAL',
  officialStatus: 'APPROVED' as string | null,
  sendable: true,
  variables: ['customer', 'order'],
  body: {
    header: { type: 'TEXT', text: 'Seu pedido está pronto' },
    body: {
      text: 'Olá {{customer}}, o pedido {{order}} está pronto.\nRetire na loja até sábado, ou responda para combinar a entrega.',
    },
    footer: { text: 'Acme & Söhne, Vila Madalena' },
    buttons: [
      { type: 'URL', text: 'Acompanhar o pedido', url: 'https://acme.example/orders/{{1}}' },
      { type: 'QUICK_REPLY', text: 'Combinar a entrega' },
    ],
    carousel: null,
  },
  examples: { customer: 'Ana Souza', order: '4711' },
  statusReason: null as string | null,
  statusDescription: null,
  quality: 'GREEN' as string | null,
  correctCategory: null as string | null,
  unsupported: [],
  updatedAt: AT,
}
const SPRING = {
  ...ORDER,
  id: 'tpl_2',
  name: 'spring_collection_new_customers_second_reminder',
  category: 'MARKETING',
  officialStatus: 'REJECTED',
  sendable: false,
  statusReason: 'ABUSIVE_CONTENT',
  quality: null,
}
const TEMPLATES = [
  ORDER,
  SPRING,
  { ...ORDER, id: 'tpl_3', name: 'login_code', category: 'OTP', officialStatus: 'PENDING', sendable: false },
  { ...ORDER, id: 'tpl_4', name: 'delivery_hebrew', language: 'he', officialStatus: 'DISABLED', sendable: false },
  { ...ORDER, id: 'tpl_5', name: 'good_morning', officialStatus: null, correctCategory: 'MARKETING', quality: null },
]

/** What the service makes of a template and of values. */
function filled(asked: any) {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (whole, name) => asked.variables[name] ?? whole)
  return { body: { preview: { ...asked.body, body: { text: fill(asked.body.body.text) } } } }
}

const VISIT = {
  ...DRAFT,
  name: 'Marcar uma visita ao showroom',
  categories: ['APPOINTMENT_BOOKING', 'LEAD_GENERATION'],
  validationErrors: [{ ...FAULT, line_start: 11 }],
}
const WELL = { validationErrors: [], officialStatus: 'PUBLISHED', updatedAt: AT }
const FLOWS = [
  VISIT,
  { ...VISIT, ...WELL, id: 'flow_2', name: 'סקר שביעות רצון', categories: ['SURVEY'] },
  { ...VISIT, ...WELL, id: 'flow_3', name: 'Sign up', officialStatus: 'THROTTLED', healthStatus: 'LIMITED' },
  { ...VISIT, ...WELL, id: 'flow_4', name: 'Old sign up', officialStatus: 'DEPRECATED' },
]
const DOCUMENT = {
  version: '7.1',
  screens: [{ id: 'VISIT', title: 'Visit', layout: { type: 'SingleColumnLayout', children: [{ type: 'DatePickr' }] } }],
}
const ANSWER = {
  id: 'fres_1',
  contactNumber: '5511990000001',
  contactName: 'Ana Souza',
  response: { day: '2026-11-28', time: '10:30', note: 'I come with two colleagues, one of them in a wheelchair.' },
  submittedAt: '2026-11-20T10:00:00.000Z',
}
const SECOND = { ...ANSWER, id: 'fres_2', contactName: 'דוד לוי', response: { day: '2026-11-30', time: '16:00' } }

export const WRITING_SCRIPT: Script = {
  'GET /api/v1/templates': { body: { templates: TEMPLATES, total: TEMPLATES.length } },
  'GET /api/v1/templates/tpl_1': { body: ORDER },
  'GET /api/v1/templates/tpl_2': { body: SPRING },
  'GET /api/v1/templates?officialStatus=REJECTED&page=1&pageSize=1': { body: { templates: [], total: 1 } },
  'GET /api/v1/templates?officialStatus=DISABLED&page=1&pageSize=1': { body: { templates: [], total: 1 } },
  'POST /api/v1/templates/preview': filled,
  'GET /api/v1/flows': { body: { flows: FLOWS, total: FLOWS.length } },
  'GET /api/v1/flows/flow_1': { body: VISIT },
  'GET /api/v1/flows/flow_1/json': { body: { flowJson: JSON.stringify(DOCUMENT, null, 2) } },
  'GET /api/v1/flows/flow_1/responses': { body: { responses: [ANSWER, SECOND], total: 2 } },
  'GET /api/v1/canned-replies': {
    body: {
      cannedReplies: [
        ['hours', 'We are open from 9 to 17, on Saturdays until noon.'],
        ['entrega', 'Entregamos em São Paulo de segunda a sábado. O frete é grátis acima de R$ 200.'],
        ['shalom', 'שלום, תודה שפנית אלינו. נחזור אליך בהקדם.'],
      ].map(([shortcut, text], at) => ({ id: `crep_${at + 1}`, shortcut, text, updatedAt: AT })),
    },
  },
}

import { DEFAULT_BRANDING } from '../../../src/domain/branding.ts'
import { GRANTS, SESSIONS } from '../people-page-scenes.ts'
import type { Script } from '../people-scenes.ts'
import { NUMBERS } from './numbers.ts'

const AT = '2026-11-20T16:40:00.000Z'
const person = (id: string, name: string | null, role: string, status = 'ACTIVE') => ({
  id,
  email: `${(name ?? 'new.colleague').split(' ')[0]?.toLowerCase()}@acme.example`,
  name,
  role,
  status,
  lastSeenAt: status === 'ACTIVE' ? AT : null,
})
const PEOPLE = [
  person('usr_1', 'Ana', 'OWNER'),
  person('usr_2', 'Maximiliane von Hohenfels-Langenburg', 'ADMIN'),
  { ...person('usr_3', 'דוד לוי', 'AGENT'), email: 'david.levi@acme.example' },
  person('usr_4', null, 'ANALYST', 'INVITED'),
  person('usr_5', 'Dora', 'AGENT', 'DISABLED'),
]
const EMBED = {
  id: 'emb_00000000000000000000000001',
  surface: 'chat',
  channelNumberIds: ['num_1', 'num_2'],
  allowedOrigins: ['https://crm.acme.example', 'https://helpdesk.partner-with-a-long-name.example:8443'],
  createdAt: AT,
  lastUsedAt: AT,
  expiresAt: '2036-11-01T10:15:00.000Z',
  maxExpiresAt: '2036-11-01T22:00:00.000Z',
}
const used = (day: number) => ({
  messages: {
    inbound: 420 + 31 * day,
    outbound: 380 + 17 * day,
    byType: { text: 700, image: 90, audio: 41, template: 30 },
  },
  calls: { inbound: 12 + day, outbound: 20 - day, seconds: 5_400 },
  recordings: { count: 4, bytes: 12_500_000 },
  deliveries: { succeeded: 800 + day, failed: day % 3 === 0 ? 12 : 0, attempts: 830 },
  conversations: { MARKETING: 40, UTILITY: 120, AUTHENTICATION: 15, SERVICE: 210 },
})
const RANGE = { from: '2026-11-10', to: '2026-11-23' }
const DAYS = Array.from({ length: 14 }, (_, at) => ({ day: `2026-11-${10 + at}`, ...used(at) }))
const USAGE = `GET /api/v1/usage?startDate=${RANGE.from}`
const frame = (at: number, event: string, channelNumberId: string) => ({
  id: `evt_${String(at).padStart(26, '0')}`,
  event,
  channelNumberId,
  timestamp: `2026-11-23T09:${10 + at}:00.000Z`,
  data: { text: 'Hello' },
})

export const ACCOUNT_SCRIPT: Script = {
  'GET /api/v1/users': { body: PEOPLE },
  'GET /api/grants': { body: { grants: GRANTS.map((one) => ({ ...one, clientName: 'Meeting assistant' })) } },
  'GET /api/sessions': { body: { sessions: SESSIONS } },
  'GET /api/tenant-key': { body: { keyId: 'key_t', keyLast4: 'wxyz', createdAt: AT } },
  'GET /api/v1/api-keys': {
    body: NUMBERS.map(({ id, name, number }, at) => ({
      numberId: id,
      number,
      displayName: name,
      keyId: `key_${at}`,
      keyLast4: `k3${at}a`,
      key: at === 1 ? null : 'cms_key',
      revealable: at !== 1,
    })),
  },
  'GET /api/v1/branding': {
    body: {
      branding: {
        ...DEFAULT_BRANDING,
        companyName: 'Acme & Söhne',
        subtitle: 'Connect your phone',
        primaryColor: '#7c3aed',
      },
    },
  },
  'GET /api/v1/embed/sessions': {
    body: {
      sessions: [EMBED, { ...EMBED, id: `${EMBED.id.slice(0, -1)}2`, surface: 'connect', channelNumberIds: [] }],
    },
  },
  [`${USAGE}&groupBy=day`]: { body: { ...RANGE, groupBy: 'day', items: DAYS, total: used(40) } },
  [`${USAGE}&groupBy=number`]: {
    body: {
      ...RANGE,
      groupBy: 'number',
      items: NUMBERS.slice(0, 3).map(({ id }, at) => ({ channelNumberId: id, ...used(3 * at) })),
      total: used(40),
    },
  },
  'GET /api/v1/events': {
    body: {
      events: [
        frame(1, 'message.received', 'num_1'),
        frame(2, 'call.ended', 'num_2'),
        frame(3, 'message.read', 'num_3'),
      ],
      after: null,
    },
  },
}

import type { Script } from './people-scenes.ts'

const AT = '2026-11-02T09:30:00.000Z'

/** The people of an account; the first one is who is signed in on the stage of the dashboard. */
export const PEOPLE = [
  { id: 'usr_1', email: 'ana@acme.example', name: 'Ana', role: 'OWNER', status: 'ACTIVE', lastSeenAt: AT },
  {
    id: 'usr_2',
    email: 'bob@acme.example',
    name: '<img src=x onerror=alert(1)> \u05D0\u05D1',
    role: 'AGENT',
    status: 'ACTIVE',
    lastSeenAt: null,
  },
  { id: 'usr_3', email: 'cleo@acme.example', name: null, role: 'ANALYST', status: 'INVITED', lastSeenAt: null },
  { id: 'usr_4', email: 'dora@acme.example', name: 'Dora', role: 'ADMIN', status: 'DISABLED', lastSeenAt: AT },
] as const

export const NUMBERS = [
  { id: 'num_1', name: 'Front <b>desk', number: '5511999990001' },
  { id: 'num_2', name: 'Sales', number: '5511999990002' },
]

/** Two apps: one for chosen numbers, and one that asked for much and has no name. */
export const GRANTS = [
  {
    id: 'grt_1',
    clientId: 'c1',
    clientName: 'Assistant <img src=x>',
    user: { id: 'usr_2', email: 'bob@acme.example' },
    resource: 'http://127.0.0.1/mcp',
    scopes: ['chat:read', 'calls:read'],
    channelNumberIds: ['num_1', 'num_9'],
    createdAt: AT,
    lastUsedAt: null,
  },
  {
    id: 'grt_2',
    clientId: 'https://assistant.example/client.json',
    clientName: null,
    user: null,
    resource: 'http://127.0.0.1/v1',
    scopes: ['numbers:read', 'chat:read', 'calls:read', 'ads:read', 'templates:read'],
    channelNumberIds: null,
    createdAt: AT,
    lastUsedAt: AT,
  },
]

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const OWN = { id: 'usr_1', email: 'ana@acme.example' }

function session(id: string, more: object): object {
  return { id, createdAt: AT, lastSeenAt: AT, expiresAt: AT, address: '203.0.113.7', user: OWN, ...more }
}

/** Three sessions of who is signed in, one of somebody else, and one that a login link opened. */
export const SESSIONS = [
  session('ses_1', { userAgent: FIREFOX, isCurrent: true }),
  session('ses_2', { userAgent: 'curl/8 <b>', isCurrent: false }),
  session('ses_3', { userAgent: null, address: null, isCurrent: false }),
  session('ses_4', { userAgent: FIREFOX, isCurrent: false, user: { id: 'usr_2', email: 'bob@acme.example' } }),
  session('ses_5', { userAgent: FIREFOX, isCurrent: false, user: null }),
]

export const TEAM: Script = {
  'GET /api/v1/users': { body: PEOPLE },
  'GET /api/v1/numbers': { body: NUMBERS },
  'GET /api/grants': { body: { grants: GRANTS } },
  'GET /api/sessions': { body: { sessions: SESSIONS } },
}

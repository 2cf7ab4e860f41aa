export const LOGIN_TOKEN = `lt_${'a'.repeat(43)}`
export const INTERACTION = `/consent/${'i'.repeat(43)}`
export const CLIENT = 'https://assistant.example/callback'
export const SANDBOX = 'http://localhost:3002/control'

export const USER = { id: 'usr_1', email: 'ana@acme.example', name: 'Ana', role: 'AGENT' }
export const SESSION = {
  tenant: { id: 'ten_1', name: 'Acme' },
  csrfToken: 'csrf-1',
  expiresAt: '2027-01-01T00:00:00.000Z',
  user: USER,
  permissions: ['numbers:read', 'chat:read'],
}
const NUMBERS = [
  { id: 'num_1', name: 'Front desk', number: '5511999990001' },
  { id: 'num_2', name: 'Sales', number: '5511999990002' },
]
/** The consent request of a client. */
export const ASKED = {
  id: 'i'.repeat(43),
  client: {
    clientId: 'c1',
    name: 'Assistant <img src=x>',
    uri: null,
    redirectHost: 'assistant.example',
    isLoopback: false,
  },
  resource: 'http://127.0.0.1/mcp',
  scopes: [
    { scope: 'chat:read', description: 'Read', allowed: true },
    { scope: 'templates:manage', description: 'Change', allowed: false },
  ],
  numbers: NUMBERS,
  expiresAt: SESSION.expiresAt,
}
export const GRANT = {
  id: 'grt_1',
  clientId: 'c1',
  clientName: 'Assistant',
  user: { id: 'usr_1', email: USER.email },
  resource: 'x/mcp',
  scopes: ['chat:read'],
  channelNumberIds: ['num_1'],
  createdAt: SESSION.expiresAt,
  lastUsedAt: null,
}

/** An answer of the API. */
export interface Said {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: object
}
/** Answers of the API, by `method path`. */
export type Script = Readonly<Record<string, Said | ((body: unknown) => Said)>>

export const WRONG: Said = { status: 401, body: { error: 'no', code: 'INVALID_CREDENTIALS' } }
export const NOBODY: Said = { status: 401, body: { error: 'no' } }
const GONE: Said = { status: 404, body: { error: 'no', code: 'INTERACTION_NOT_FOUND' } }

/** A signed-in person with a consent request to decide. */
export const SIGNED_IN: Script = {
  'GET /api/session': { body: SESSION },
  'GET /api/grants': { body: { grants: [GRANT] } },
  'GET /api/oauth/interactions/{id}': { body: ASKED },
}

/** The address and script that lead to each state. */
export const STATES: readonly (readonly [state: string, path: string, script: Script])[] = [
  ['sign-in', '/login', {}],
  ['sign-in', `/login#${LOGIN_TOKEN}`, {}],
  ['account', '/login', SIGNED_IN],
  [
    'account',
    '/login',
    { 'GET /api/session': { body: { ...SESSION, user: null } }, 'GET /api/grants': { body: { grants: [] } } },
  ],
  ['invite', '/invite#inv', {}],
  ['gone', '/invite', {}],
  ['consent', INTERACTION, SIGNED_IN],
  ['gone', INTERACTION, { ...SIGNED_IN, 'GET /api/oauth/interactions/{id}': GONE }],
  ['sign-in', INTERACTION, {}],
]

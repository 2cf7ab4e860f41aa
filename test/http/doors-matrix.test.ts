import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { NumberId } from '../../src/domain/ids.ts'
import { ROLES, type Permission, type Role } from '../../src/domain/permissions.ts'
import { createCaches } from '../../src/http/caches.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { serve, World } from '../helpers/http-app.ts'
import type { Client } from '../helpers/http-app.ts'
import { GRANTABLE } from '../helpers/memory/access-tokens.ts'

/**
 * What a route is about (contract 3, 5, 12, 13, 14). `number`: one number. `named`: one number, which the tenant key
 * may name. `chosen`: one number, which the tenant key or a body names. `either`: the account, or the number that is
 * named. `account`: the account. `list`: the numbers of the account. `path`: the number in the path, of the account.
 * `open`: whoever has the link.
 */
type About = 'number' | 'named' | 'chosen' | 'either' | 'account' | 'list' | 'path' | 'open'

/** Of sessions alone, no client is ever granted it (contract 14). */
type Needed = Permission | 'chat:send of sessions' | null

/** Every route of /v1 with its permission, as contract 14 has them: written from its table, not from the code. */
const ROUTES: Readonly<Record<string, readonly [About, Needed]>> = {
  'POST /v1/calls': ['number', 'calls:manage'],
  'GET /v1/calls': ['number', 'calls:read'],
  'GET /v1/calls/{callId}': ['number', 'calls:read'],
  'POST /v1/calls/{callId}/accept': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/reject': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/terminate': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/realtime-session': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/play': ['number', 'calls:manage'],
  'POST /v1/calls/{callId}/pre-accept': ['number', 'calls:manage'],
  'GET /v1/calls/permissions': ['number', 'calls:read'],
  'POST /v1/calls/permissions/request': ['number', 'calls:manage'],
  'GET /v1/calls/settings': ['number', 'calls:read'],
  'PUT /v1/calls/settings': ['number', 'calls:manage'],
  'POST /v1/messages/send': ['number', 'chat:send'],
  'GET /v1/messages/{id}': ['number', 'chat:read'],
  'GET /v1/messages/history': ['number', 'chat:read'],
  'GET /v1/messages/unread': ['number', 'chat:read'],
  'GET /v1/messages/group': ['number', 'chat:read'],
  'POST /v1/messages/read': ['number', 'chat:send'],
  'DELETE /v1/messages/cancel': ['number', 'chat:send'],
  'GET /v1/conversations': ['number', 'chat:read'],
  'GET /v1/media/{mediaId}': ['number', 'chat:read'],
  'POST /v1/templates': ['number', 'templates:manage'],
  'POST /v1/templates/preview': ['number', 'templates:read'],
  'POST /v1/templates/sync': ['number', 'templates:manage'],
  'GET /v1/templates': ['number', 'templates:read'],
  'GET /v1/templates/{id}': ['number', 'templates:read'],
  'PUT /v1/templates/{id}': ['number', 'templates:manage'],
  'DELETE /v1/templates/{id}': ['number', 'templates:manage'],
  'POST /v1/flows': ['number', 'flows:manage'],
  'POST /v1/flows/sync': ['number', 'flows:manage'],
  'GET /v1/flows': ['number', 'flows:read'],
  'GET /v1/flows/{id}': ['number', 'flows:read'],
  'PATCH /v1/flows/{id}': ['number', 'flows:manage'],
  'GET /v1/flows/{id}/json': ['number', 'flows:read'],
  'POST /v1/flows/{id}/json': ['number', 'flows:manage'],
  'POST /v1/flows/{id}/publish': ['number', 'flows:manage'],
  'POST /v1/flows/{id}/deprecate': ['number', 'flows:manage'],
  'DELETE /v1/flows/{id}': ['number', 'flows:manage'],
  'GET /v1/flows/{id}/responses': ['number', 'flows:read'],
  'GET /v1/leads': ['named', 'chat:read'],
  'GET /v1/leads/{id}': ['named', 'chat:read'],
  'DELETE /v1/leads/{id}': ['named', 'leads:manage'],
  'POST /v1/lead-pages': ['account', 'leads:manage'],
  'GET /v1/lead-pages': ['account', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}': ['account', 'leads:manage'],
  'PATCH /v1/lead-pages/{pageId}': ['account', 'leads:manage'],
  'DELETE /v1/lead-pages/{pageId}': ['account', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}/forms': ['account', 'leads:manage'],
  'PUT /v1/lead-pages/{pageId}/forms/{formId}': ['account', 'leads:manage'],
  'POST /v1/lead-pages/{pageId}/forms/{formId}/backfill': ['account', 'leads:manage'],
  'GET /v1/lead-pages/{pageId}/forms/{formId}/backfill': ['account', 'leads:manage'],
  'GET /v1/groups': ['number', 'chat:read'],
  'POST /v1/groups': ['number', 'chat:send'],
  'GET /v1/groups/{id}': ['number', 'chat:read'],
  'POST /v1/groups/{id}/participants': ['number', 'chat:send'],
  'DELETE /v1/groups/{id}/participants': ['number', 'chat:send'],
  'GET /v1/newsletters': ['number', 'chat:read'],
  'POST /v1/numbers/check': ['chosen', 'chat:read'],
  'GET /v1/referrals/summary': ['number', 'ads:read'],
  'GET /v1/referrals': ['number', 'chat:read'],
  'PUT /v1/numbers/{id}/ad-access': ['path', 'numbers:manage'],
  'GET /v1/numbers/{id}/ad-access': ['path', 'ads:read'],
  'DELETE /v1/numbers/{id}/ad-access': ['path', 'numbers:manage'],
  'POST /v1/numbers/remote-pairing': ['account', 'numbers:manage'],
  'GET /v1/remote-pairing/{token}': ['open', null],
  'POST /v1/remote-pairing/{token}/connect': ['open', null],
  'GET /v1/remote-pairing/{token}/status': ['open', null],
  'GET /v1/branding': ['account', 'numbers:manage'],
  'PUT /v1/branding': ['account', 'numbers:manage'],
  'GET /v1/connect/{token}/branding': ['open', null],
  'POST /v1/embed/sessions': ['either', 'chat:send of sessions'],
  'GET /v1/embed/sessions': ['either', 'chat:send of sessions'],
  'DELETE /v1/embed/sessions/{id}': ['either', 'chat:send of sessions'],
  'POST /v1/numbers': ['account', 'numbers:manage'],
  'POST /v1/numbers/official': ['account', 'numbers:manage'],
  'GET /v1/numbers': ['list', 'numbers:read'],
  'GET /v1/numbers/{id}': ['path', 'numbers:read'],
  'GET /v1/numbers/{id}/status': ['path', 'numbers:read'],
  'GET /v1/numbers/{id}/connect': ['path', 'numbers:read'],
  'POST /v1/numbers/{id}/connect': ['path', 'numbers:manage'],
  'PATCH /v1/numbers/{id}': ['path', 'numbers:manage'],
  'POST /v1/numbers/{id}/logout': ['path', 'numbers:manage'],
  'DELETE /v1/numbers/{id}': ['path', 'numbers:manage'],
  'GET /v1/status': ['number', 'numbers:read'],
  'GET /v1/subscription': ['account', 'account:manage'],
  'GET /v1/api-keys': ['account', 'account:manage'],
  'POST /v1/api-keys': ['account', 'account:manage'],
  'POST /v1/api-keys/regenerate': ['either', 'account:manage'],
  'POST /v1/users': ['account', 'account:manage'],
  'GET /v1/users': ['account', 'account:manage'],
  'GET /v1/users/{id}': ['account', 'account:manage'],
  'PATCH /v1/users/{id}': ['account', 'account:manage'],
  'POST /v1/users/{id}/invite': ['account', 'account:manage'],
  'DELETE /v1/users/{id}': ['account', 'account:manage'],
  'POST /v1/webhooks': ['chosen', 'webhooks:manage'],
  'GET /v1/webhooks': ['either', 'webhooks:read'],
  'GET /v1/webhooks/{id}': ['either', 'webhooks:read'],
  'PATCH /v1/webhooks/{id}': ['either', 'webhooks:manage'],
  'DELETE /v1/webhooks/{id}': ['either', 'webhooks:manage'],
  'POST /v1/webhooks/{id}/test': ['either', 'webhooks:manage'],
  'POST /v1/webhooks/{id}/secret': ['either', 'webhooks:manage'],
  'GET /v1/webhooks/{id}/logs': ['either', 'webhooks:read'],
  'POST /v1/webhooks/{id}/logs/{logId}/redeliver': ['either', 'webhooks:manage'],
  'GET /v1/events': ['either', 'webhooks:read'],
}

/** Who has what (contract 14). */
const HELD: Readonly<Record<Permission, string>> = {
  'numbers:read': 'OWNER ADMIN AGENT ANALYST',
  'numbers:manage': 'OWNER ADMIN',
  'chat:read': 'OWNER ADMIN AGENT',
  'chat:send': 'OWNER ADMIN AGENT',
  'calls:read': 'OWNER ADMIN AGENT',
  'calls:manage': 'OWNER ADMIN AGENT',
  'templates:read': 'OWNER ADMIN AGENT ANALYST',
  'flows:read': 'OWNER ADMIN AGENT ANALYST',
  'ads:read': 'OWNER ADMIN AGENT ANALYST',
  'templates:manage': 'OWNER ADMIN',
  'flows:manage': 'OWNER ADMIN',
  'leads:manage': 'OWNER ADMIN',
  'webhooks:read': 'OWNER ADMIN',
  'webhooks:manage': 'OWNER ADMIN',
  'account:manage': 'OWNER ADMIN',
}

const NUMBERS = ['own', 'other', 'foreign', 'none'] as const
type Named = (typeof NUMBERS)[number]

const IN = 'let in'
const DENIED = '403 PERMISSION_DENIED'
const NOT_OF_NUMBER = '403 NUMBER_SCOPE_NOT_ALLOWED'
const NOT_OF_TENANT = '403 TENANT_SCOPE_NOT_ALLOWED'
const UNKNOWN = '404 NUMBER_NOT_FOUND'
const UNNAMED = '400 NUMBER_REQUIRED'

type Expected = (about: About, named: Named) => string

const OF_ACCOUNT: readonly About[] = ['account', 'list', 'path']

/** A number key: its own number, and nothing of the account. */
const byNumberKey: Expected = (about, named) => {
  if (OF_ACCOUNT.includes(about)) return NOT_OF_NUMBER
  return named === 'own' || named === 'none' ? IN : UNKNOWN
}

const byTenantKey: Expected = (about, named) => {
  if (about === 'number' || (about === 'named' && named === 'none')) return NOT_OF_TENANT
  if (about === 'chosen' && named === 'none') return UNNAMED
  return named === 'foreign' ? UNKNOWN : IN
}

/** Sessions, and grants over the whole account. */
const byAccount: Expected = (about, named) => {
  if (named === 'none' && ['number', 'named', 'chosen'].includes(about)) return UNNAMED
  return named === 'foreign' ? UNKNOWN : IN
}

/** Grants over the own number alone. */
const byGrantOfNumber: Expected = (about, named) => {
  if (about === 'account') return NOT_OF_NUMBER
  if (named === 'none') return about === 'list' || about === 'path' ? IN : UNNAMED
  return named === 'own' ? IN : UNKNOWN
}

interface Credential {
  readonly headersOf: (world: World) => Promise<Record<string, string>>
  readonly base: '' | '/api'
  readonly expected: Expected
  readonly may: (needed: Needed) => boolean
}

function roleHas(role: Role, needed: Permission): boolean {
  return HELD[needed].split(' ').includes(role)
}

function ofSession(role: Role): Credential {
  return {
    base: '/api',
    expected: byAccount,
    may: (needed) => needed === null || roleHas(role, needed === 'chat:send of sessions' ? 'chat:send' : needed),
    async headersOf(world) {
      const made = await world.users.create(world.tenantId, { email: `${role}@example.com`, role, name: null })
      const opened = made.ok
        ? await world.webSessions.open(
            { invitation: made.value.invitation.token, passwordHash: 'hashed', name: null },
            { address: null, userAgent: null },
          )
        : null
      if (!opened) throw new Error('no session was opened')
      return { ...OWN_PAGE, cookie: `cms_session=${opened.secret}`, 'x-csrf-token': opened.session.csrfToken }
    },
  }
}

function ofToken(role: Role, isOfNumber: boolean, scopes: readonly Permission[]): Credential {
  return {
    base: '',
    expected: isOfNumber ? byGrantOfNumber : byAccount,
    may: (needed) =>
      needed === null || (needed !== 'chat:send of sessions' && scopes.includes(needed) && roleHas(role, needed)),
    headersOf: async (world) => ({
      authorization: `Bearer ${world.accessTokens.issue(world.tenantId, { role, scopes, numberIds: isOfNumber ? [world.number.id] : null }).token}`,
    }),
  }
}

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  'a number key': {
    base: '',
    expected: byNumberKey,
    may: () => true,
    headersOf: async (world) => ({ 'x-api-key': world.numberKey.raw }),
  },
  'a tenant key': {
    base: '',
    expected: byTenantKey,
    may: () => true,
    headersOf: async (world) => ({ 'x-api-key': world.tenantKey.raw }),
  },
  ...Object.fromEntries(ROLES.map((role) => [`a session of ${role}`, ofSession(role)])),
  ...Object.fromEntries(
    ROLES.flatMap((role) =>
      [true, false].flatMap((isOfNumber) =>
        [GRANTABLE, []].map((scopes) => [
          `a token of ${role}, ${isOfNumber ? 'for one number' : 'account-wide'}, with ${scopes.length === 0 ? 'no' : 'all'} scopes`,
          ofToken(role, isOfNumber, scopes),
        ]),
      ),
    ),
  ),
}

function expectedOf(
  { may, expected }: Credential,
  path: string,
  [about, needed]: readonly [About, Needed],
  named: Named,
): string {
  if (about === 'open') return IN
  if (!may(needed)) return DENIED
  const door = expected(about, named)
  return door === UNNAMED && path.startsWith('/v1/flows') ? '422 FLOW_NUMBER_FROM_KEY' : door
}

/** What the door said; whatever is said behind it is no part of this. */
const DOOR = new Set([DENIED, NOT_OF_NUMBER, NOT_OF_TENANT, UNKNOWN, UNNAMED, '422 FLOW_NUMBER_FROM_KEY'])

class Asking {
  readonly #client: Client
  readonly #headers: Record<string, string>
  readonly #base: string
  readonly #ids: Readonly<Record<Exclude<Named, 'none'>, NumberId>>

  constructor(client: Client, world: World, base: string, headers: Record<string, string>) {
    this.#client = client
    this.#base = base
    this.#headers = headers
    this.#ids = {
      own: world.number.id,
      other: world.addNumber(world.tenantId, '5511955554444').number.id,
      foreign: world.foreignNumber.id,
    }
  }

  /**
   * The number of a path is the one in question, and the own one where there is none. What comes behind the door is
   * broken, unless a body may name the number.
   */
  async ask(method: string, path: string, about: About, named: Named): Promise<string> {
    const inPath = about === 'path' ? this.#ids[named === 'none' ? 'own' : named] : 'wh_01kb0000000000000000000000'
    const filled = path
      .replace('{id}', inPath)
      .replace('{token}', 'rp_00000000000000000000000000')
      .replaceAll(/\{\w+\}/g, '1037543291543636')
    const headers = { ...this.#headers, ...(named === 'none' ? {} : { 'x-channel-number-id': this.#ids[named] }) }
    const body = method === 'GET' ? {} : { body: about === 'chosen' ? {} : '{broken' }
    const reply = await this.#client.send(method, this.#base + filled, { headers, ...body })
    const said = `${reply.status} ${reply.body?.code}`
    if (DOOR.has(said)) return said
    return [401, 405].includes(reply.status) || ['ROUTE_NOT_FOUND', 'CSRF_REJECTED'].includes(reply.body?.code)
      ? `not asked: ${said}`
      : IN
  }
}

async function matrixOf(t: ExecutionContext, credential: Credential): Promise<void> {
  const world = new World()
  const client = await serve(t, world)
  const asking = new Asking(client, world, credential.base, await credential.headersOf(world))
  const faults: string[] = []
  for (const [title, row] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = title.split(' ')
    const said = await Promise.all(NUMBERS.map((named) => asking.ask(method, path, row[0], named)))
    for (const [at, named] of NUMBERS.entries()) {
      const expected = expectedOf(credential, path, row, named)
      if (said[at] !== expected) faults.push(`${title}, ${named} number: ${said[at]}, expected ${expected}`)
    }
    // Buckets fill again.
    world.clock.advance(6_000)
  }
  t.deepEqual(faults, [])
}

for (const [name, credential] of Object.entries(CREDENTIALS)) {
  test(`${name} opens of /v1 what the contract says, whichever number is named`, (t) => matrixOf(t, credential))
}

test('every route of /v1 is in the table, with its permission', (t) => {
  const deps = new World().deps()
  const routes = describedRoutes({ ...deps, ...createCaches(deps) }).filter(({ path }) => path.startsWith('/v1/'))
  const declared = routes.map(({ method, path, permission, access }) => [
    `${method.toUpperCase()} ${path}`,
    permission === 'chat:send' && !access.by.some((by) => by === 'grant')
      ? 'chat:send of sessions'
      : (permission ?? null),
  ])
  t.deepEqual(
    Object.fromEntries(declared),
    Object.fromEntries(Object.entries(ROUTES).map(([title, [, needed]]) => [title, needed])),
  )
})

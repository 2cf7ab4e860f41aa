import { generateApiKey } from '../../src/domain/api-key.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { ROLES, permissionsOf, type Permission, type Role } from '../../src/domain/permissions.ts'
import type { AccessBy } from '../../src/http/request/access.ts'
import { OWN_PAGE } from './dashboard.ts'
import { bearer, mint } from './embeds.ts'
import { addPerson, GRANTABLE, grantToken } from './granted-tokens.ts'
import type { Client } from './http-app.ts'
import type { OpenedWorld } from './stored-world.ts'

/**
 * How far a kind of caller reaches in the account: a number by its key, the tenant key, all of the account, or the
 * world's own number alone.
 */
export type KindReach = 'number key' | 'tenant key' | 'account' | 'one number'

/** A kind of caller and its requests. */
export interface CallerKind {
  /** What a route calls it; a key is also a program with tools ([tools.credentials.1]). Empty when it proves nobody. */
  readonly is: readonly AccessBy[]
  readonly headersOf: (world: OpenedWorld, client: Client) => Promise<Record<string, string>>
  /** Absent when the caller belongs to no account. */
  readonly reach?: KindReach
  /** Absent when no route refuses the caller for lack of a permission. */
  readonly permissions?: ReadonlySet<Permission>
  /** The caller counts as another kind where this kind opens nothing. */
  readonly isVariant?: boolean
  /** The caller proves a session, but not that a page of ours sends the request. */
  readonly isForged?: boolean
}

type Headers = Record<string, string>

async function pageOf(world: OpenedWorld, role: Role): Promise<Headers> {
  const { secret, csrfToken } = await addPerson(world.stores, world.tenantId, role)
  return { ...OWN_PAGE, cookie: `cms_session=${secret}`, 'x-csrf-token': csrfToken }
}

function session(role: Role): CallerKind {
  return {
    is: ['session'],
    headersOf: (world) => pageOf(world, role),
    reach: 'account',
    permissions: permissionsOf(role),
    isVariant: role !== 'OWNER',
  }
}

/** A caller in a signed-in browser whose requests do not come from a page of ours with the session's token. */
function forged(headers: Headers): CallerKind {
  return {
    is: ['session'],
    headersOf: async (world) => ({ ...(await pageOf(world, 'OWNER')), ...headers }),
    isForged: true,
  }
}

function grant(role: Role, reach: 'account' | 'one number', scopes: readonly Permission[] = GRANTABLE): CallerKind {
  const numberIds = (world: OpenedWorld): readonly NumberId[] | null => (reach === 'account' ? null : [world.number.id])
  return {
    is: ['grant'],
    headersOf: async (world) =>
      bearer((await grantToken(world.stores, world.tenantId, { role, scopes, numberIds: numberIds(world) })).token)
        .headers,
    reach,
    permissions: new Set(scopes.filter((scope) => permissionsOf(role).has(scope))),
    isVariant: role !== 'OWNER' || scopes.length === 0,
  }
}

function key(reach: 'number key' | 'tenant key', headersOf: (key: { raw: string; id: string }) => Headers): CallerKind {
  return {
    is: ['key', 'agent'],
    headersOf: async (world) => headersOf(reach === 'number key' ? world.numberKey : world.tenantKey),
    reach,
  }
}

function stranger(headersOf: CallerKind['headersOf'], ...is: AccessBy[]): CallerKind {
  return { is, headersOf }
}

const embedToken = async (world: OpenedWorld, client: Client): Promise<string> => (await mint(client, world)).token

/** Every kind of caller, by what it shows. */
export const CALLER_KINDS: Readonly<Record<string, CallerKind>> = {
  'whoever shows nothing': stranger(async () => ({})),
  'an unknown key': stranger(async () => ({ 'x-api-key': generateApiKey() })),
  'an unknown id of a key': stranger(async () => ({ 'x-api-key-id': 'key_00000000000000000000000000' })),
  'a number key': key('number key', ({ raw }) => ({ 'x-api-key': raw })),
  'a tenant key': key('tenant key', ({ raw }) => ({ 'x-api-key': raw })),
  'the id of a tenant key': { ...key('tenant key', ({ id }) => ({ 'x-api-key-id': id })), isVariant: true },
  'a key as a bearer token': stranger(async ({ tenantKey }) => bearer(tenantKey.raw).headers, 'agent'),
  ...Object.fromEntries(ROLES.map((role) => [`a session of ${role}`, session(role)])),
  'a session, asked for by another site': forged({ 'sec-fetch-site': 'cross-site' }),
  'a session with the CSRF token of another': forged({ 'x-csrf-token': 'A'.repeat(43) }),
  ...Object.fromEntries(ROLES.map((role) => [`a token of ${role} for the account`, grant(role, 'account')])),
  'a token of OWNER for one number': grant('OWNER', 'one number'),
  'a token of AGENT for one number': grant('AGENT', 'one number'),
  'a token without a scope': grant('OWNER', 'account', []),
  'a token for one number without a scope': grant('OWNER', 'one number', []),
  'a token for tools': stranger(
    async ({ stores, tenantId }) => bearer((await grantToken(stores, tenantId, { resource: 'mcp' })).token).headers,
    'agent',
  ),
  'an embed token': stranger(async (...of) => bearer(await embedToken(...of)).headers, 'embed'),
  'an embed token as a key': stranger(async (...of) => ({ 'x-api-key': await embedToken(...of) })),
  'an embed token as a cookie': stranger(async (...of) => ({ cookie: `cms_session=${await embedToken(...of)}` })),
  'a pairing link': stranger(async ({ stores, tenantId, number, clock }) => {
    const expiresAt = new Date(clock.now() + 60_000)
    const link = { tenantId, numberId: number.id, branding: null, redirectUrl: null, expiresAt }
    return bearer(await stores.pairing.issue(link)).headers
  }, 'link'),
}

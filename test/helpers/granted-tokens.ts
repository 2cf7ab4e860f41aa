import { randomBytes } from 'node:crypto'
import { newId } from '../../src/domain/ids.ts'
import type { GrantId, NumberId, TenantId, UserId } from '../../src/domain/ids.ts'
import { ACCESS_TOKEN_MS } from '../../src/domain/oauth.ts'
import type { OAuthResource } from '../../src/domain/oauth.ts'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import type { Permission, Role } from '../../src/domain/permissions.ts'
import type { Stores } from '../../src/storage/stores.ts'

export interface GrantedToken {
  readonly token: string
  readonly grantId: GrantId
}

export interface Granted {
  /** The scopes to ask for; when absent, every scope that a client may be granted. */
  readonly scopes?: readonly Permission[]
  readonly role?: Role
  readonly numberIds?: readonly NumberId[] | null
  readonly resource?: OAuthResource
}

/** Every scope that a client may be granted. */
export const GRANTABLE = (Object.keys(PERMISSIONS) as Permission[]).filter((name) => PERMISSIONS[name].isGranted)

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** Adds a signed-in person with a role; resolves to the person and the secrets of the session. */
export async function addPerson(
  { users, webSessions }: Pick<Stores, 'users' | 'webSessions'>,
  tenantId: TenantId,
  role: Role,
) {
  const made = await users.create(tenantId, { email: `${newId('usr')}@example.com`, role, name: null })
  if (!made.ok) throw new Error(made.error.message)
  const opened = await webSessions.open(
    { invitation: made.value.invitation.token, passwordHash: 'hashed', name: null },
    { address: null, userAgent: null },
  )
  if (!opened) throw new Error('no session was opened')
  return { userId: made.value.user.id, secret: opened.secret, csrfToken: opened.session.csrfToken }
}

/** Grants a client one access token, as a person of a role does in a browser. */
export async function grantToken(
  stores: Pick<Stores, 'users' | 'webSessions' | 'oauthInteractions' | 'oauthTokens'>,
  tenantId: TenantId,
  { scopes = GRANTABLE, role = 'OWNER', numberIds = null, resource = 'v1' }: Granted = {},
): Promise<GrantedToken> {
  const [id, browser, token] = [secret(), secret(), secret()]
  // A session by the tenant's key acts as the owner and has no person.
  const userId: UserId | null = role === 'OWNER' ? null : (await addPerson(stores, tenantId, role)).userId
  await stores.oauthInteractions.begin(id, browser, {
    client: { clientId: 'client', name: 'Client', uri: null },
    redirectUri: 'https://client.example/callback',
    state: 'state',
    scopes,
    resource,
    codeChallenge: 'c'.repeat(43),
  })
  const decided = await stores.oauthInteractions.allow(id, browser, { userId, tenantId, scopes, numberIds })
  if (decided.kind !== 'allowed') throw new Error(`the decision was ${decided.kind}`)
  const { grantId } = decided
  await stores.oauthTokens.add('access', token, { grantId, payload: { clientId: 'client' } }, ACCESS_TOKEN_MS / 1_000)
  return { token, grantId }
}

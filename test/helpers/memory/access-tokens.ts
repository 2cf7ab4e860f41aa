import { randomBytes } from 'node:crypto'
import { newId, type GrantId, type NumberId, type TenantId } from '../../../src/domain/ids.ts'
import { PERMISSIONS, permissionsOf, type Permission, type Role } from '../../../src/domain/permissions.ts'
import type { OAuthResource } from '../../../src/domain/oauth.ts'
import type { AccessTokens, ProvedToken } from '../../../src/ports/access-tokens.ts'

export interface IssuedToken {
  readonly token: string
  readonly grantId: GrantId
}

interface Granted {
  /** Those asked for; all that clients are ever granted where absent. */
  readonly scopes?: readonly Permission[]
  readonly role?: Role
  readonly numberIds?: readonly NumberId[] | null
  readonly resource?: OAuthResource
  readonly requestsPerMinute?: number
}

/** Every scope that a client may be granted. */
export const GRANTABLE = (Object.keys(PERMISSIONS) as Permission[]).filter((name) => PERMISSIONS[name].isGranted)

/** Grants with one token each, in memory; `proofs` counts what was looked up. */
export class MemoryAccessTokens implements AccessTokens {
  proofs = 0
  readonly #grants = new Map<string, ProvedToken & { readonly resource: OAuthResource }>()

  issue(
    tenantId: TenantId,
    {
      scopes = GRANTABLE,
      role = 'OWNER',
      numberIds = null,
      resource = 'v1',
      requestsPerMinute = 100_000,
    }: Granted = {},
  ): IssuedToken {
    const token = randomBytes(32).toString('base64url')
    const grantId = newId('grt')
    const rolePermissions = permissionsOf(role)
    this.#grants.set(token, {
      grantId,
      clientId: 'client',
      tenantId,
      userId: newId('usr'),
      rolePermissions,
      permissions: new Set(scopes.filter((scope) => rolePermissions.has(scope))),
      numberIds,
      limits: { requestsPerMinute, sendsPerMinute: requestsPerMinute },
      resource,
    })
    return { token, grantId }
  }

  end(grantId: GrantId): void {
    for (const [token, grant] of this.#grants) if (grant.grantId === grantId) this.#grants.delete(token)
  }

  async prove(token: string, resource: OAuthResource): Promise<ProvedToken | null> {
    this.proofs++
    const found = this.#grants.get(token)
    return found?.resource === resource ? found : null
  }

  async find(grantId: GrantId): Promise<ProvedToken | null> {
    return [...this.#grants.values()].find((grant) => grant.grantId === grantId) ?? null
  }
}

import type { GrantId, NumberId, TenantId, UserId } from '../domain/ids.ts'
import type { RequestLimits } from '../domain/limits.ts'
import type { OAuthResource } from '../domain/oauth.ts'
import type { Permission } from '../domain/permissions.ts'

/** Who holds a token, and what it lets them do at this moment. */
export interface ProvedToken {
  readonly grantId: GrantId
  readonly clientId: string
  readonly tenantId: TenantId
  /** Null: granted in a session of the tenant key, or of a login link, which acts as OWNER. */
  readonly userId: UserId | null
  /** Granted scopes that the user's present role has. */
  readonly permissions: ReadonlySet<Permission>
  /** What that role has, granted or not. */
  readonly rolePermissions: ReadonlySet<Permission>
  /** Null: all numbers of the account. Else one at least: a grant that lost its last number has ended. */
  readonly numberIds: readonly NumberId[] | null
  /** The tenant's (contract 2), counted for each grant by itself. */
  readonly limits: RequestLimits
}

/** Access tokens of the authorization server. */
export interface AccessTokens {
  /**
   * Null when unknown, expired, of another resource, or of a grant, user or client that is over. `token` is any text
   * that came.
   */
  prove(token: string, resource: OAuthResource): Promise<ProvedToken | null>
  /** How a grant stands at this moment, whichever of its tokens is asked with; null when it is over. */
  find(grantId: GrantId): Promise<ProvedToken | null>
}

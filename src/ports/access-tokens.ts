import type { GrantId, NumberId, TenantId, UserId } from '../domain/ids.ts'
import type { RequestLimits } from '../domain/limits.ts'
import type { OAuthResource } from '../domain/oauth.ts'
import type { Permission } from '../domain/permissions.ts'

/** Who holds a token, and what the token allows at this moment. */
export interface ProvedToken {
  readonly grantId: GrantId
  readonly clientId: string
  readonly tenantId: TenantId
  /** Null when a session of the tenant key, or of a login link, granted it: such a session acts as OWNER. */
  readonly userId: UserId | null
  /** The granted scopes that the user's present role has ([people.permissions.11]). */
  readonly permissions: ReadonlySet<Permission>
  /** All permissions of that role, granted or not. */
  readonly rolePermissions: ReadonlySet<Permission>
  /**
   * Null for all numbers of the account; else at least one, since a grant that lost its last number has ended
   * ([oauth.tokens.14]).
   */
  readonly numberIds: readonly NumberId[] | null
  /** The tenant's limits, counted for each grant by itself ([oauth.tokens.15]). */
  readonly limits: RequestLimits
}

/** Access tokens of the authorization server. */
export interface AccessTokens {
  /**
   * Proves a token, which may be any text that came. Null when it is unknown, expired, of another resource, or when its
   * grant, user or client has ended.
   */
  prove(token: string, resource: OAuthResource): Promise<ProvedToken | null>
  /** Gives what a grant allows at this moment, whichever of its tokens is used; null when it has ended. */
  find(grantId: GrantId): Promise<ProvedToken | null>
}

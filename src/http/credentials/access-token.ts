import type { Caller } from '../../domain/caller.ts'
import type { OAuthResource } from '../../domain/oauth.ts'
import type { AccessTokens, ProvedToken } from '../../ports/access-tokens.ts'
import { bearerOf } from '../request/bearer.ts'
import type { CredentialKind } from './kind.ts'

export interface TokenCredentialDeps {
  readonly accessTokens: AccessTokens
}

/**
 * An access token of `resource` in `authorization: Bearer`, and nowhere else: none is read from a query
 * ([oauth.tokens.1]).
 */
export function accessTokenOf(resource: OAuthResource, { accessTokens }: TokenCredentialDeps): CredentialKind {
  return {
    name: `${resource} token`,
    asked: 'an access token as authorization: Bearer',
    isToken: true,
    find: bearerOf,
    async prove(token) {
      const proved = await accessTokens.prove(token, resource)
      return proved && callerOfGrant(proved)
    },
  }
}

/** The caller of a token is its grant, whichever of the grant's tokens was sent. */
export function callerOfGrant({
  grantId: id,
  userId,
  tenantId,
  permissions,
  rolePermissions,
  numberIds,
  limits,
}: ProvedToken): Caller {
  const reach = numberIds === null ? ({ at: 'tenant' } as const) : ({ at: 'numbers', numberIds } as const)
  return { by: 'grant', id, userId, tenantId, reach, permissions, rolePermissions, limits }
}

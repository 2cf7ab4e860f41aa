import type { Permission } from '../../domain/permissions.ts'
import type { OAuthResource } from '../../domain/oauth.ts'

/** A resource that tokens are for, as clients are told of it. */
export interface ChallengedResource {
  /** Public base of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly resource: OAuthResource
}

/** Header of what is refused for lack of a token or of a scope. */
export const CHALLENGE = 'www-authenticate'

/** Where the metadata of a resource stand (RFC 9728, 3.1). */
export function resourceMetadataUrl({ baseUrl, resource }: ChallengedResource): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/${resource}`
}

/**
 * Nothing was sent: where to learn which tokens are good here, and which scopes to begin with, where some are named
 * (RFC 9728, 5.1).
 */
export function tokenWanted(of: ChallengedResource, scopes: readonly Permission[] = []): string {
  return bearer({ resource_metadata: resourceMetadataUrl(of), ...scopesNamed(scopes) })
}

/**
 * The token is unknown, expired or for another resource; and which scopes to begin again with, where some are named
 * (RFC 6750, 3.1).
 */
export function invalidToken(of: ChallengedResource, scopes: readonly Permission[] = []): string {
  return bearer({ error: 'invalid_token', resource_metadata: resourceMetadataUrl(of), ...scopesNamed(scopes) })
}

function scopesNamed(scopes: readonly Permission[]): { readonly scope?: string } {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') }
}

/** A token with this scope, too, would do (RFC 6750, 3.1). */
export function insufficientScope(of: ChallengedResource, needed: Permission): string {
  return bearer({ error: 'insufficient_scope', scope: needed, resource_metadata: resourceMetadataUrl(of) })
}

/** None of the values has a quote: addresses as a URL parser writes them, and words of ours. */
function bearer(parameters: Readonly<Record<string, string>>): string {
  return `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}

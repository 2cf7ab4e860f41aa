import type { Permission } from '../../domain/permissions.ts'
import type { OAuthResource } from '../../domain/oauth.ts'

/** A resource that tokens are for, as challenges name it. */
export interface ChallengedResource {
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly resource: OAuthResource
}

/** The header of a refusal for lack of a token or of a scope. */
export const CHALLENGE = 'www-authenticate'

/** The address of a resource's metadata (RFC 9728, 3.1). */
export function resourceMetadataUrl({ baseUrl, resource }: ChallengedResource): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/${resource}`
}

/**
 * The challenge when no credential was sent: where to learn which tokens are good here, and which scopes to ask for
 * first, when some are named (RFC 9728, 5.1).
 */
export function tokenWanted(of: ChallengedResource, scopes: readonly Permission[] = []): string {
  return bearer({ resource_metadata: resourceMetadataUrl(of), ...scopesNamed(scopes) })
}

/**
 * The challenge when the token is unknown, expired or for another resource ([oauth.tokens.4]), with the scopes to ask
 * for again, when some are named (RFC 6750, 3.1).
 */
export function invalidToken(of: ChallengedResource, scopes: readonly Permission[] = []): string {
  return bearer({ error: 'invalid_token', resource_metadata: resourceMetadataUrl(of), ...scopesNamed(scopes) })
}

function scopesNamed(scopes: readonly Permission[]): { readonly scope?: string } {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') }
}

/** The challenge when a token that also had this scope would do ([oauth.tokens.5]; RFC 6750, 3.1). */
export function insufficientScope(of: ChallengedResource, needed: Permission): string {
  return bearer({ error: 'insufficient_scope', scope: needed, resource_metadata: resourceMetadataUrl(of) })
}

/** No value is escaped: addresses come from a URL parser and words are ours, so none has a quote. */
function bearer(parameters: Readonly<Record<string, string>>): string {
  return `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}

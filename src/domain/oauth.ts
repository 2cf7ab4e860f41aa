import type { GrantId, NumberId, TenantId, UserId } from './ids.ts'
import { PERMISSIONS, type Permission } from './permissions.ts'

/**
 * What a token opens, one of the two alone: the tool interface or the API ([oauth.resources-and-scopes.1],
 * [oauth.resources-and-scopes.2]).
 */
export type OAuthResource = 'mcp' | 'v1'
export const OAUTH_RESOURCES: readonly OAuthResource[] = ['mcp', 'v1']

/** Lifetimes in ms ([oauth.endpoints.9], [oauth.endpoints.11], [oauth.consent.7]). */
export const CODE_MS = 60_000
export const ACCESS_TOKEN_MS = 3_600_000
export const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000
export const INTERACTION_MS = 600_000
/** A registered client that no grant used for this long is removed, in ms ([oauth.endpoints.13]). */
export const UNUSED_CLIENT_MS = 30 * 24 * 3_600_000
/** Registrations an hour from one address ([oauth.endpoints.6]). */
export const REGISTRATIONS_PER_HOUR = 20
/** our choice: a grant's last use is written this often at most, in ms. */
export const GRANT_USED_MS = 60_000
/** our choice, in characters: clients choose their names, which are stored and shown. */
export const CLIENT_NAME_LENGTH = 200
/** our choice: redirect URIs of one client at most. */
export const MOST_REDIRECT_URIS = 20

/** Permissions that clients may be granted, in the order of the table: the scopes of OAuth. */
export const SCOPES = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (permission) => PERMISSIONS[permission].isGranted,
)
/** What a request that names no scope asks for ([oauth.resources-and-scopes.3]). */
export const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'))

/**
 * Reads the scopes that a request asks for: unknown ones are dropped, and no scope at all means every `*:read`
 * ([oauth.resources-and-scopes.3]). Empty when none is left.
 */
export function askedScopes(text: string | undefined): readonly Permission[] {
  const asked = (text ?? '').split(' ').filter(Boolean)
  return asked.length === 0 ? READ_SCOPES : SCOPES.filter((scope) => asked.includes(scope))
}

/** Makes the address of a resource, to which tokens are bound (RFC 8707). */
export function resourceUri(baseUrl: string, resource: OAuthResource): string {
  return `${baseUrl}/${resource}`
}

/**
 * Finds the resource that an address names; null for any other. A slash at the end is accepted, since some clients
 * write one.
 */
export function resourceOf(baseUrl: string, uri: string): OAuthResource | null {
  return (
    OAUTH_RESOURCES.find(
      (resource) => uri === resourceUri(baseUrl, resource) || uri === `${resourceUri(baseUrl, resource)}/`,
    ) ?? null
  )
}

/** A client as the person who decides sees it. */
export interface ShownClient {
  readonly clientId: string
  /** What it calls itself; nobody verified it. */
  readonly name: string
  readonly uri: string | null
}

/** A client's request, waiting for somebody to decide. */
export interface Interaction {
  readonly client: ShownClient
  readonly redirectUri: string
  readonly state: string | null
  readonly scopes: readonly Permission[]
  readonly resource: OAuthResource
  /** base64url of SHA-256 (RFC 7636, S256). */
  readonly codeChallenge: string
  readonly expiresAt: Date
}

/** What somebody let a client do. */
export interface Grant {
  readonly id: GrantId
  readonly tenantId: TenantId
  /** Null when a session of the tenant key, or of a login link, granted it. */
  readonly user: { readonly id: UserId; readonly email: string } | null
  readonly client: ShownClient
  readonly resource: OAuthResource
  readonly scopes: readonly Permission[]
  /** Null for all numbers of the account, later ones included. */
  readonly numberIds: readonly NumberId[] | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A client that registered itself (RFC 7591). */
export interface OAuthClient {
  readonly id: string
  /** Its metadata under the names of the registration, with the secret as a hash. */
  readonly metadata: Readonly<Record<string, unknown>>
}

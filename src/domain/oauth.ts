import type { GrantId, NumberId, TenantId, UserId } from './ids.ts'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** What a token opens, one alone: the tool interface or the API (contract 14). */
export type OAuthResource = 'mcp' | 'v1'
export const OAUTH_RESOURCES: readonly OAuthResource[] = ['mcp', 'v1']

/** contract 14, in ms. */
export const CODE_MS = 60_000
export const ACCESS_TOKEN_MS = 3_600_000
export const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000
export const INTERACTION_MS = 600_000
/** contract 14: a registered client that no grant used for this long goes. */
export const UNUSED_CLIENT_MS = 30 * 24 * 3_600_000
/** contract 14: registrations an hour and address. */
export const REGISTRATIONS_PER_HOUR = 20
/** our choice: when a grant was used is written this often at most, in ms. */
export const GRANT_USED_MS = 60_000
/** our choice, in characters: what clients say of themselves is stored and shown. */
export const CLIENT_NAME_LENGTH = 200
/** our choice: addresses of one client. */
export const MOST_REDIRECT_URIS = 20

/** Permissions that clients are ever granted, in the order of the table: the scopes of OAuth. */
export const SCOPES = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (permission) => PERMISSIONS[permission].isGranted,
)
/** What a request that names none asks for (contract 14). */
export const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'))

/**
 * The scopes that a request asks for: unknown ones are dropped, none given are all that read (contract 14). Empty where
 * none is left.
 */
export function askedScopes(text: string | undefined): readonly Permission[] {
  const asked = (text ?? '').split(' ').filter(Boolean)
  return asked.length === 0 ? READ_SCOPES : SCOPES.filter((scope) => asked.includes(scope))
}

/** The address of a resource, as tokens are bound to it (RFC 8707). */
export function resourceUri(baseUrl: string, resource: OAuthResource): string {
  return `${baseUrl}/${resource}`
}

/**
 * Which resource an address names; null for any other. A slash at its end is let pass, because some clients write one.
 */
export function resourceOf(baseUrl: string, uri: string): OAuthResource | null {
  return (
    OAUTH_RESOURCES.find(
      (resource) => uri === resourceUri(baseUrl, resource) || uri === `${resourceUri(baseUrl, resource)}/`,
    ) ?? null
  )
}

/** A client as it is shown to who decides. */
export interface ShownClient {
  readonly clientId: string
  /** What it calls itself; nobody verified it. */
  readonly name: string
  readonly uri: string | null
}

/** What a client asks for, waiting for somebody to decide. */
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
  /** Null: by a session of the tenant key, or of a login link. */
  readonly user: { readonly id: UserId; readonly email: string } | null
  readonly client: ShownClient
  readonly resource: OAuthResource
  readonly scopes: readonly Permission[]
  /** Null: all numbers of the account, those to come as well. */
  readonly numberIds: readonly NumberId[] | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A client that registered itself (RFC 7591). */
export interface OAuthClient {
  readonly id: string
  /** Its metadata as the registration names them, the secret as a hash. */
  readonly metadata: Readonly<Record<string, unknown>>
}

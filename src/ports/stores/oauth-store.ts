import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { Grant, Interaction, OAuthClient, OAuthResource } from '../../domain/oauth.ts'
import type { Permission } from '../../domain/permissions.ts'

/** Clients that registered themselves. */
export interface OAuthClientStore {
  /** Stores a client; false when the address registered REGISTRATIONS_PER_HOUR within the hour. */
  register(client: OAuthClient, address: string): Promise<boolean>
  find(id: string): Promise<OAuthClient | null>
}

/** Who allows a client's request, and what is granted. */
export interface Allowed {
  readonly tenantId: TenantId
  /** Null for a session of the tenant key, or of a login link. */
  readonly userId: UserId | null
  /** At least one. */
  readonly scopes: readonly Permission[]
  /** At least one, each once; null for all of the account. */
  readonly numberIds: readonly NumberId[] | null
}

export type Decided =
  | { readonly kind: 'allowed'; readonly grantId: GrantId; readonly code: string; readonly interaction: Interaction }
  /** A number is not the tenant's; the question stays open. */
  | { readonly kind: 'foreign number' }
  | { readonly kind: 'unknown' }

/**
 * Requests of clients that nobody decided yet: each is decided once, in the browser it began in, within INTERACTION_MS
 * ([oauth.consent.7]). Ids and secrets are stored as hashes.
 */
export interface OAuthInteractionStore {
  begin(id: string, browserSecret: string, interaction: Omit<Interaction, 'expiresAt'>): Promise<void>
  /** Finds a request; null when unknown, decided, over, or begun in another browser. */
  find(id: string, browserSecret: string): Promise<Interaction | null>
  /**
   * Makes the grant and its code, or nothing: one transaction. Every consent is a grant of its own ([oauth.consent.2]).
   */
  allow(id: string, browserSecret: string, allowed: Allowed): Promise<Decided>
  /** Closes the request; null in the cases of `find`. */
  deny(id: string, browserSecret: string): Promise<Interaction | null>
}

export type OAuthTokenKind = 'code' | 'access' | 'refresh'

/** A token or a code as the protocol needs it. */
export interface StoredToken {
  readonly grantId: string
  /** The facts of the token, without the token itself. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly isConsumed: boolean
}

/** Codes and tokens, known by their hashes; all of them end with their grant. */
export interface OAuthTokenStore {
  /**
   * Adds a token; false when the grant was taken away meanwhile. A token added to a grant that ended otherwise is
   * useless.
   */
  add(kind: OAuthTokenKind, token: string, stored: Omit<StoredToken, 'isConsumed'>, seconds: number): Promise<boolean>
  /** Finds a token; null when unknown or over. */
  find(kind: OAuthTokenKind, token: string): Promise<StoredToken | null>
  /** Consumes a token; true for exactly one of all callers, on whatever nodes. */
  consume(kind: OAuthTokenKind, token: string): Promise<boolean>
  remove(kind: OAuthTokenKind, token: string): Promise<void>
}

/** A grant as the protocol needs it. */
export interface GrantFacts {
  readonly tenantId: TenantId
  readonly userId: UserId | null
  readonly clientId: string
  readonly resource: OAuthResource
  readonly scopes: readonly Permission[]
}

/**
 * What people let clients do. A grant ends with its user, its last number, its tenant, or by somebody's decision; while
 * its user is not ACTIVE it counts as absent.
 */
export interface GrantStore {
  /** Reads a grant; null when it ended. */
  facts(id: string): Promise<GrantFacts | null>
  /** Ends a grant of anybody with its tokens; false when it ended before. */
  end(id: string): Promise<boolean>
  /** Lists grants, newest first: of a tenant, or with `userId` of one of its users alone. */
  list(tenantId: TenantId, userId: UserId | null): Promise<readonly Grant[]>
  /** Ends a grant as `end` does, of this tenant, or with `userId` of this user alone; false for others. */
  endOwn(tenantId: TenantId, userId: UserId | null, id: string): Promise<boolean>
  /**
   * Removes what is over: tokens, requests, grants that no token can use any more, and clients that no grant used for
   * UNUSED_CLIENT_MS. Gives the number of rows.
   */
  purge(): Promise<number>
}

import type { GrantId, NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { Grant, Interaction, OAuthClient, OAuthResource } from '../../domain/oauth.ts'
import type { Permission } from '../../domain/permissions.ts'

/** Clients that registered themselves. */
export interface OAuthClientStore {
  /** False, and nothing is stored, where the address registered REGISTRATIONS_PER_HOUR within the hour. */
  register(client: OAuthClient, address: string): Promise<boolean>
  find(id: string): Promise<OAuthClient | null>
}

/** Who decides on what a client asks for, and what comes of it. */
export interface Allowed {
  readonly tenantId: TenantId
  /** Null: a session of the tenant key, or of a login link. */
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
 * What clients ask for and nobody decided yet: each is decided once, in the browser it began in, within INTERACTION_MS.
 * Ids and secrets are stored as hashes.
 */
export interface OAuthInteractionStore {
  begin(id: string, browserSecret: string, interaction: Omit<Interaction, 'expiresAt'>): Promise<void>
  /** Null when unknown, decided, over, or begun in another browser. */
  find(id: string, browserSecret: string): Promise<Interaction | null>
  /** Makes the grant and its code, or nothing: one transaction. Every one is a grant of its own. */
  allow(id: string, browserSecret: string, allowed: Allowed): Promise<Decided>
  /** Null as `find` is; else the question is closed. */
  deny(id: string, browserSecret: string): Promise<Interaction | null>
}

export type OAuthTokenKind = 'code' | 'access' | 'refresh'

/** A token or a code as the protocol needs it. */
export interface StoredToken {
  readonly grantId: string
  /** What it says, without itself. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly isConsumed: boolean
}

/** Codes and tokens, known by their hashes; all of them end with their grant. */
export interface OAuthTokenStore {
  /** False where the grant was taken away meanwhile; what is added to one that ended otherwise is good for nothing. */
  add(kind: OAuthTokenKind, token: string, stored: Omit<StoredToken, 'isConsumed'>, seconds: number): Promise<boolean>
  /** Null when unknown or over. */
  find(kind: OAuthTokenKind, token: string): Promise<StoredToken | null>
  /** True for one of all that ask, on whatever nodes. */
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
 * What people let clients do. A grant ends with its user, its last number, its tenant, or by somebody's hand; while its
 * user is not ACTIVE it is as if it were not there.
 */
export interface GrantStore {
  /** Null where it ended. */
  facts(id: string): Promise<GrantFacts | null>
  /** Ends it with its tokens, whoever's it is; false where it ended before. */
  end(id: string): Promise<boolean>
  /** Newest first: of a tenant, or with `userId` of one of its users alone. */
  list(tenantId: TenantId, userId: UserId | null): Promise<readonly Grant[]>
  /** As `end`, of this tenant, or with `userId` of this user alone: false for others. */
  endOwn(tenantId: TenantId, userId: UserId | null, id: string): Promise<boolean>
  /**
   * Removes what is over: tokens, questions, grants that no token can use any more, and clients that no grant used for
   * UNUSED_CLIENT_MS. Answers how many.
   */
  purge(): Promise<number>
}

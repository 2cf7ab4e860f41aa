import type { EmbedOver, EmbedSession } from '../../domain/embed-session.ts'
import type { EmbedSessionId, KeyId, NumberId, TenantId } from '../../domain/ids.ts'

/** A session about to be minted; its times follow from now. */
export interface MintedSession extends Pick<
  EmbedSession,
  'tenantId' | 'surface' | 'numberIds' | 'allowedOrigins' | 'branding' | 'ttlSeconds'
> {
  /** The key that mints it, or, null, that of the tenant: its rotation ends the session. */
  readonly keyId: KeyId | null
  /** No refresh goes past this age, nor does the first token. */
  readonly maxAgeMs: number
}

/** What a token is good for; `unknown` also of one whose session has been over for more than a day. */
export type ProvedEmbed =
  | { readonly kind: 'live'; readonly session: EmbedSession; readonly secretEndsAt: Date }
  | { readonly kind: 'over'; readonly reason: EmbedOver }
  | { readonly kind: 'unknown' }

export interface FreshToken {
  /** `{id}.{secret}`: shown once. */
  readonly token: string
  readonly session: EmbedSession
}

/** How a session stands. */
export interface EmbedState {
  readonly id: EmbedSessionId
  /** Null: it lives. */
  readonly over: EmbedOver | null
  readonly expiresAt: Date
}

/**
 * Sessions of embeds. One whose key was rotated, or that has lost its last number, is over by that alone: nothing needs
 * to end it.
 */
export interface EmbedSessionStore {
  /** Null where a number is not the tenant's. The numbers are each named once. */
  mint(session: MintedSession): Promise<FreshToken | null>
  /** Proves a token `{id}.{secret}`; stored as a hash only. */
  prove(token: string): Promise<ProvedEmbed>
  /**
   * A new secret of a live session, good until `now + ttl` and never past `maxExpiresAt`; the old one works
   * EMBED_SECRET_GRACE_MS more, or to its own end. Parallel ones all work. Anything but a live token is answered as
   * `prove` does.
   */
  refresh(token: string): Promise<({ readonly kind: 'fresh' } & FreshToken) | Exclude<ProvedEmbed, { kind: 'live' }>>
  /** Live ones, newest first: of a tenant, or those of one of its numbers alone. */
  list(tenantId: TenantId, numberId: NumberId | null): Promise<readonly EmbedSession[]>
  /** False when unknown, of another tenant, over, or, with a number, not of that number alone. */
  revoke(tenantId: TenantId, numberId: NumberId | null, id: string): Promise<boolean>
  /** Live, by its public id: for the headers of a frame. Null otherwise. */
  findLive(id: string): Promise<EmbedSession | null>
  /**
   * Live connect sessions of a tenant that cover a number, newest first: who may frame its links, and how they look. Of
   * those that allow the same origins the newest alone, and 100 at most.
   */
  covering(tenantId: TenantId, numberId: NumberId): Promise<readonly EmbedSession[]>
  /** How these sessions stand; those that are unknown are left out. */
  states(ids: readonly EmbedSessionId[]): Promise<readonly EmbedState[]>
  /** Notes that a session is in use; at most once a minute each. */
  touch(id: EmbedSessionId): Promise<void>
  /** Removes those that have been over for a day; answers how many. */
  purge(): Promise<number>
}

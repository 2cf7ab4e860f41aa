import type { EmbedOver, EmbedSession } from '../../domain/embed-session.ts'
import type { EmbedSessionId, KeyId, NumberId, TenantId } from '../../domain/ids.ts'

/** A session about to be minted; its times are counted from now. */
export interface MintedSession extends Pick<
  EmbedSession,
  'tenantId' | 'surface' | 'numberIds' | 'allowedOrigins' | 'branding' | 'canStart' | 'ttlSeconds'
> {
  /** The key that mints it, or null for the tenant's: the key's rotation ends the session ([embeds.refresh.3]). */
  readonly keyId: KeyId | null
  /** No refresh goes past this age, nor does the first token ([embeds.refresh.1]). */
  readonly maxAgeMs: number
}

/** What a token proves; `unknown` is also the answer when its session has been over for more than a day. */
export type ProvedEmbed =
  | { readonly kind: 'live'; readonly session: EmbedSession; readonly secretEndsAt: Date }
  | { readonly kind: 'over'; readonly reason: EmbedOver }
  | { readonly kind: 'unknown' }

export interface FreshToken {
  /** `{id}.{secret}`, shown once. */
  readonly token: string
  readonly session: EmbedSession
}

/** Whether a session lives, and until when. */
export interface EmbedState {
  readonly id: EmbedSessionId
  /** Null while it lives. */
  readonly over: EmbedOver | null
  readonly expiresAt: Date
}

/**
 * Sessions of embeds. Rotation of its key, or the loss of its last number, ends a session by itself
 * ([embeds.refresh.3]).
 */
export interface EmbedSessionStore {
  /** Mints a session; null when a number is not the tenant's. Each number is named once. */
  mint(session: MintedSession): Promise<FreshToken | null>
  /** Proves a token `{id}.{secret}`, which is stored as a hash only. */
  prove(token: string): Promise<ProvedEmbed>
  /**
   * Makes a new secret of a live session, valid until `now + ttl` and never past `maxExpiresAt`; the old one works
   * EMBED_SECRET_GRACE_MS more, or to its own end ([embeds.refresh.1], [embeds.refresh.2]). Secrets made in parallel
   * all work. For anything but a live token the answer is that of `prove`.
   */
  refresh(token: string): Promise<({ readonly kind: 'fresh' } & FreshToken) | Exclude<ProvedEmbed, { kind: 'live' }>>
  /** Lists live sessions, newest first: those of a tenant, or those of one of its numbers alone. */
  list(tenantId: TenantId, numberId: NumberId | null): Promise<readonly EmbedSession[]>
  /** Revokes a session; false when unknown, of another tenant, over, or, with a number, not of that number alone. */
  revoke(tenantId: TenantId, numberId: NumberId | null, id: string): Promise<boolean>
  /** Finds a live session by its public id, for the headers of a frame; null when there is none. */
  findLive(id: string): Promise<EmbedSession | null>
  /**
   * Lists the live connect sessions of a tenant that cover a number, newest first: they decide who may frame its links,
   * and how they look. Of sessions with the same origins only the newest is given, and 100 at most.
   */
  covering(tenantId: TenantId, numberId: NumberId): Promise<readonly EmbedSession[]>
  /** Tells how these sessions stand; unknown ones are left out. */
  states(ids: readonly EmbedSessionId[]): Promise<readonly EmbedState[]>
  /** Notes that a session is in use, at most once a minute for each. */
  touch(id: EmbedSessionId): Promise<void>
  /** Removes sessions that have been over for a day; gives their number. */
  purge(): Promise<number>
}

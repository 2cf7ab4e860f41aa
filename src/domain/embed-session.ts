import type { OwnBranding } from './branding.ts'
import type { EmbedSessionId, NumberId, TenantId } from './ids.ts'

/** What an embed shows ([embeds.routes.1]). */
export const EMBED_SURFACES = ['chat', 'connect'] as const
export type EmbedSurface = (typeof EMBED_SURFACES)[number]

/** Why a session is over ([embeds.stream.3]). */
export type EmbedOver = 'EXPIRED' | 'REVOKED'

/** A session of an embed, without its secrets. */
export interface EmbedSession {
  readonly id: EmbedSessionId
  readonly tenantId: TenantId
  readonly surface: EmbedSurface
  /** Those of its numbers that still exist. A connect session without any covers all numbers of the tenant. */
  readonly numberIds: readonly NumberId[]
  /** Exact origins, at least one. */
  readonly allowedOrigins: readonly string[]
  readonly branding: OwnBranding | null
  /** Its users may write first, to whoever has not written yet ([embeds.starts.1]). */
  readonly canStart: boolean
  readonly ttlSeconds: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date
  /** No refresh goes past it. */
  readonly maxExpiresAt: Date
}

/** Lifetimes of tokens by default, in seconds ([embeds.routes.1]). */
export const EMBED_TTL_SECONDS: Readonly<Record<EmbedSurface, number>> = { chat: 900, connect: 1_800 }
/** How long a replaced secret still works, in ms ([embeds.refresh.2]). */
export const EMBED_SECRET_GRACE_MS = 60_000
/** Our choice, a day: how long a session that is over can be told from an unknown one, in ms. */
export const EMBED_KEPT_MS = 24 * 3_600_000

const ID = /^emb_[0-9a-hjkmnp-tv-z]{26}$/
const TOKEN = /^(emb_[0-9a-hjkmnp-tv-z]{26})\.[\w-]{43,100}$/

/** Reads the id in a token `{id}.{secret}` ([embeds.tokens.1]); null when the text does not have that form. */
export function sessionOfToken(token: string): EmbedSessionId | null {
  return (TOKEN.exec(token)?.[1] ?? null) as EmbedSessionId | null
}

/** True when a text has the form of a session's id, which anybody may write into an address ([embeds.tokens.1]). */
export function isSessionId(text: string): text is EmbedSessionId {
  return ID.test(text)
}

/** The hosts that a content security policy may name: the URL parser alone would let `*` and `;` through. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const LOOPBACK = /^(?:localhost|[a-z0-9_.-]+\.localhost|127\.0\.0\.1)$/

/**
 * True when a page of this origin may frame an embed: an exact origin of `https:`, or of `http:` on this machine
 * ([embeds.origins.1], [embeds.origins.2]).
 */
export function isAllowedOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text || !HOST.test(url.hostname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

/** Limits of one session ([embeds.errors.3]). */
export const EMBED_REQUESTS_PER_MINUTE = 600
export const EMBED_SENDS_PER_MINUTE = 60

/** Lists every origin that one of these sessions allows, each once. */
export function originsOf(sessions: readonly Pick<EmbedSession, 'allowedOrigins'>[]): readonly string[] {
  return [...new Set(sessions.flatMap(({ allowedOrigins }) => allowedOrigins))]
}

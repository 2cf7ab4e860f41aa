import type { OwnBranding } from './branding.ts'
import type { EmbedSessionId, NumberId, TenantId } from './ids.ts'

/** What an embed shows (spec: Embed sessions). */
export const EMBED_SURFACES = ['chat', 'connect'] as const
export type EmbedSurface = (typeof EMBED_SURFACES)[number]

/** Why a session is over (contract 17, Death). */
export type EmbedOver = 'EXPIRED' | 'REVOKED'

/** A session of an embed, without its secrets. */
export interface EmbedSession {
  readonly id: EmbedSessionId
  readonly tenantId: TenantId
  readonly surface: EmbedSurface
  /** Those of its numbers that are there. None, of surface connect: all numbers of the tenant. */
  readonly numberIds: readonly NumberId[]
  /** Exact origins, at least one. */
  readonly allowedOrigins: readonly string[]
  readonly branding: OwnBranding | null
  readonly ttlSeconds: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date
  /** No refresh goes past it. */
  readonly maxExpiresAt: Date
}

/** spec: Embed sessions, seconds. */
export const EMBED_TTL_SECONDS: Readonly<Record<EmbedSurface, number>> = { chat: 900, connect: 1_800 }
/** contract 17, Refresh: a replaced secret works this much longer, in ms. */
export const EMBED_SECRET_GRACE_MS = 60_000
/** our choice: how long a session that is over can be told from an unknown one, in ms (contract: a day). */
export const EMBED_KEPT_MS = 24 * 3_600_000

const ID = /^emb_[0-9a-hjkmnp-tv-z]{26}$/
const TOKEN = /^(emb_[0-9a-hjkmnp-tv-z]{26})\.[\w-]{43,100}$/

/** The id in a token `{id}.{secret}` (contract 17); null where the text has not its form. */
export function sessionOfToken(token: string): EmbedSessionId | null {
  return (TOKEN.exec(token)?.[1] ?? null) as EmbedSessionId | null
}

/** Whether a text has the form of a session's id, which anybody may write into an address (contract 17). */
export function isSessionId(text: string): text is EmbedSessionId {
  return ID.test(text)
}

/** What may stand in a policy as the host of an origin: the URL parser alone would let `*` and `;` through. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const LOOPBACK = /^(?:localhost|[a-z0-9_.-]+\.localhost|127\.0\.0\.1)$/

/** Whether a page of this origin may frame an embed (contract 17): exact, `https:`, or `http:` of this machine. */
export function isAllowedOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text || !HOST.test(url.hostname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

/** contract 17: of a session. */
export const EMBED_REQUESTS_PER_MINUTE = 600
export const EMBED_SENDS_PER_MINUTE = 60

/** Every origin that one of these sessions allows, each once. */
export function originsOf(sessions: readonly Pick<EmbedSession, 'allowedOrigins'>[]): readonly string[] {
  return [...new Set(sessions.flatMap(({ allowedOrigins }) => allowedOrigins))]
}

import type { EmbedSession } from '../../../domain/embed-session.ts'
import type { FreshToken } from '../../../ports/stores/embed-session-store.ts'

function presentShared(session: EmbedSession) {
  return {
    id: session.id,
    surface: session.surface,
    channelNumberIds: session.numberIds,
    allowedOrigins: session.allowedOrigins,
    startConversation: session.canStart,
    expiresAt: session.expiresAt.toISOString(),
    maxExpiresAt: session.maxExpiresAt.toISOString(),
  }
}

/** A new session, with the token that is shown this once. */
export function presentMinted({ token, session }: FreshToken) {
  return { ...presentShared(session), token }
}

/** A session in the list. */
export function presentSession(session: EmbedSession) {
  return {
    ...presentShared(session),
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt?.toISOString() ?? null,
  }
}

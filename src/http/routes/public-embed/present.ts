import type { ShownSession } from '../../../commands/embeds/show.ts'
import type { EmbedSession } from '../../../domain/embed-session.ts'
import type { ChannelNumber } from '../../../domain/number.ts'

/** What an embed is told of its session; its token ends at `tokenEndsAt`. */
export function presentOwnSession(
  session: EmbedSession,
  tokenEndsAt: Date,
  { numbers, branding, theme, unreadTotal }: ShownSession,
) {
  return {
    id: session.id,
    surface: session.surface,
    numbers: numbers.map(presentNumber),
    allowedOrigins: session.allowedOrigins,
    branding,
    theme,
    unreadTotal,
    expiresAt: tokenEndsAt.toISOString(),
    maxExpiresAt: session.maxExpiresAt.toISOString(),
  }
}

/** No more of a number than its users see. */
function presentNumber({ id, name, number, provider, state }: ChannelNumber) {
  return { id, name, number, provider, state }
}

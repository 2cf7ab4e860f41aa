import type { ShownSession } from '../../../commands/embeds/show.ts'
import type { EmbedSession } from '../../../domain/embed-session.ts'
import { lacks } from '../../../domain/engine.ts'
import { kindOf } from '../../../domain/kinds/kinds.ts'
import type { ChannelNumber } from '../../../domain/number.ts'

/** An embed's own session ([embeds.inbox-routes.1]); its token ends at `tokenEndsAt`. */
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
    startConversation: session.canStart,
    branding,
    theme,
    unreadTotal,
    expiresAt: tokenEndsAt.toISOString(),
    maxExpiresAt: session.maxExpiresAt.toISOString(),
  }
}

/** A number of an embed's session, with only what users of the embed may see ([embeds.changes.3]). */
function presentNumber({ id, name, number, provider, state, engine }: ChannelNumber) {
  const { windowMs, can } = kindOf({ provider })
  const isAble = (capability: 'edits' | 'revocations' | 'typing') =>
    can[capability] && !lacks(engine ?? null, capability)
  const able = { edits: isAble('edits'), revocations: isAble('revocations'), typing: isAble('typing') }
  return { id, name, number, provider, state, startsFree: windowMs === null, can: able }
}

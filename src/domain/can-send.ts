import { kindOf } from './kinds/kinds.ts'
import type { Conversation } from './message.ts'
import type { ProviderKind } from './number.ts'

/** What may be written into a conversation now ([embeds.inbox-routes.3]). */
export interface CanSend {
  /** Whether texts and media may be sent. Templates may be sent as well when the reason is WINDOW_CLOSED. */
  readonly free: boolean
  readonly reason: 'WINDOW_CLOSED' | 'NEWSLETTER' | null
}

/**
 * Decides whether free texts may be sent: never to a channel, and where the kind of number has a window only within the
 * one that the contact's last message opened.
 */
export function canSend(
  {
    type,
    windowExpiresAt,
    provider,
  }: Pick<Conversation, 'type' | 'windowExpiresAt'> & { readonly provider: ProviderKind },
  nowMs: number,
): CanSend {
  if (type === 'NEWSLETTER') return { free: false, reason: 'NEWSLETTER' }
  const isClosed = kindOf({ provider }).windowMs !== null && (windowExpiresAt?.getTime() ?? 0) <= nowMs
  return isClosed ? { free: false, reason: 'WINDOW_CLOSED' } : { free: true, reason: null }
}

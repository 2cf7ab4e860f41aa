import type { Conversation } from './message.ts'

/** The 24-hour window of a conversation as the composer sees it. */
export type SendWindow =
  | { readonly at: 'none' }
  | { readonly at: 'open' }
  | { readonly at: 'closing'; readonly leftMs: number }
  | { readonly at: 'closed' }

/** Our choice, in ms: below this the remaining time is shown. */
const CLOSING_MS = 2 * 3_600_000

/**
 * What may be sent now. The server decides (`canSend`). Its clock may differ from ours, so the window closes here only
 * when the server says so or its end has passed.
 */
export function windowOf(
  { canSend, windowExpiresAt }: Pick<Conversation, 'canSend' | 'windowExpiresAt'>,
  nowMs: number,
): SendWindow {
  if (canSend.reason === 'NEWSLETTER') return { at: 'none' }
  if (!canSend.free) return { at: 'closed' }
  if (windowExpiresAt === null) return { at: 'none' }
  const leftMs = Date.parse(windowExpiresAt) - nowMs
  if (leftMs <= 0) return { at: 'closed' }
  return leftMs < CLOSING_MS ? { at: 'closing', leftMs } : { at: 'open' }
}

/** Where the unread messages of a thread begin. Pure. */
import type { MessagePage } from './thread.ts'

export interface UnreadLine {
  /** The first unread message; null when there is none, or it was not read yet. */
  readonly from: string | null
  /** How many unread messages stand before the part of the thread that was read. */
  readonly before: number
}

/**
 * The line after one more page, which ends where the read part begins. When the count exceeds the messages that exist,
 * the very first message is the first unread one.
 */
export function lookedForIn(line: UnreadLine, { messages, hasOlder }: MessagePage): UnreadLine {
  if (line.before === 0) return line
  const received = messages.filter(({ direction, type }) => direction === 'INBOUND' && type !== 'reaction')
  const first = received[line.before - 1] ?? (hasOlder ? undefined : received.at(-1))
  if (first) return { from: first.id, before: 0 }
  return { from: line.from, before: hasOlder ? line.before - received.length : 0 }
}

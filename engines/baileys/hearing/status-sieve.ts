import type { MessageStatus, ReportedStatus } from '../translate-in/status.ts'

/** our choice: messages whose last status a session remembers; beyond them a status may be told twice, which changes nothing. */
const MAX_REMEMBERED = 2_000

const RANKS: Readonly<Record<ReportedStatus, number>> = { SENT: 1, DELIVERED: 2, READ: 3, FAILED: 4 }

/** Lets each status of a message through once, and none that lies behind the last: every reader of a group, and every device of a reader, says so. */
export function createStatusSieve(): (status: Pick<MessageStatus, 'externalMessageId' | 'status'>) => boolean {
  const ranks = new Map<string, number>()
  return ({ externalMessageId, status }) => {
    if ((ranks.get(externalMessageId) ?? 0) >= RANKS[status]) return false
    ranks.delete(externalMessageId)
    ranks.set(externalMessageId, RANKS[status])
    const [oldest] = ranks.keys()
    if (ranks.size > MAX_REMEMBERED && oldest !== undefined) ranks.delete(oldest)
    return true
  }
}

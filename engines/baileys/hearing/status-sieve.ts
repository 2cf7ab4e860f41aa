import { Newest } from '../process/newest.ts'
import type { MessageStatus, ReportedStatus } from '../translate-in/status.ts'

/**
 * our choice: messages whose last status a session remembers; beyond them a status may be told twice, which changes
 * nothing.
 */
const MAX_REMEMBERED = 2_000

const RANKS: Readonly<Record<ReportedStatus, number>> = { SENT: 1, DELIVERED: 2, READ: 3, FAILED: 4 }

/**
 * Lets each status of a message through once, and none that lies behind the last: every reader of a group, and every
 * device of a reader, says so.
 */
export function createStatusSieve(): (status: Pick<MessageStatus, 'externalMessageId' | 'status'>) => boolean {
  const ranks = new Newest<string, number>(MAX_REMEMBERED)
  return ({ externalMessageId, status }) => {
    if ((ranks.get(externalMessageId) ?? 0) >= RANKS[status]) return false
    ranks.set(externalMessageId, RANKS[status])
    return true
  }
}

import { isWithheld } from './message-row.ts'

/** SQL that is true of events `e` that say what was in a message, or who wrote or got it: ours and upstream's own. */
export const TELLS_OF_MESSAGE = `(e.event like 'message.%' or e.event in ('messages', 'message_echoes', 'smb_message_echoes'))`

/**
 * SQL that is true of events `e` whose data the privacy of their number `n` (left join) withholds from reads. Our choice: what a removed number told
 * of messages is withheld as its messages are gone.
 */
export function isEventWithheld(now: string): string {
  return `(${TELLS_OF_MESSAGE} and (n.id is null or ${isWithheld('e.created_at', now)}))`
}

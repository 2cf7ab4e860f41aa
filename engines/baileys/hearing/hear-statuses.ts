import { errorFields } from '../process/log.ts'
import { Newest } from '../process/newest.ts'
import type { LiveSession } from '../session/live-session.ts'
import { restrictionOf } from '../session/present.ts'
import { RestrictionWatch } from '../session/restriction.ts'
import type { Listen } from '../socket/immediate-events.ts'
import { isChange } from '../store/outgoing.ts'
import { readReceipt, readStatus } from '../translate-in/status.ts'
import type { MessageStatus, ReportedStatus } from '../translate-in/status.ts'

/** Reports statuses of sent messages, in the order of arrival. */
export function hearStatuses(live: LiveSession, listen: Listen): void {
  const isNew = createStatusSieve()
  if (!watches.has(live)) watches.set(live, new RestrictionWatch(Date.now()))
  function tell(status: MessageStatus | null, chat: string): void {
    if (!status || !isNew(status)) return
    watch(live, status, chat)
    const telling = live
      .inTurn(async () => {
        // A message that the gateway sent also has its id, so that a status may come before the answer of its send.
        const messageId = (await live.store.outgoing.byExternalId(status.externalMessageId))?.messageId
        if (messageId !== undefined && isChange(messageId)) return { kept: Promise.resolve() }
        // The turn does not wait for this, because commits keep the order.
        return {
          kept: live.emit({ ev: 'message.status', ...status, ...(messageId === undefined ? {} : { messageId }) }),
        }
      })
      .then(({ kept }) => kept)
      .catch((error: unknown) =>
        live.log.error(errorFields(error), 'the status of a message could not be handed to the gateway'),
      )
    live.holds(telling)
  }
  listen('messages.update', (updates) =>
    updates.forEach((update) => tell(readStatus(update, Date.now()), update.key.remoteJid ?? '')),
  )
  listen('message-receipt.update', (receipts) =>
    receipts.forEach((receipt) => tell(readReceipt(receipt, Date.now()), receipt.key.remoteJid ?? '')),
  )
}

/** Watches of sessions, which outlive their sockets. */
const watches = new WeakMap<LiveSession, RestrictionWatch>()

/** Tells when the statuses of messages begin or cease to mean a restricted account. */
function watch(live: LiveSession, { status, error }: MessageStatus, chat: string): void {
  const level = watches.get(live)?.note({ chat, isTaken: status !== 'FAILED', error: error ?? null }, Date.now())
  if (!level) return
  live.holds(
    live
      .emit(restrictionOf(level))
      .catch((error: unknown) =>
        live.log.error(errorFields(error), 'a restriction of the number could not be handed to the gateway'),
      ),
  )
}

/**
 * our choice: messages whose last status a session remembers. Beyond them a status may be reported twice, which changes
 * nothing.
 */
const MAX_REMEMBERED = 2_000

const RANKS: Readonly<Record<ReportedStatus, number>> = { SENT: 1, DELIVERED: 2, READ: 3, FAILED: 4 }

/**
 * Lets each status of a message through once, and none that is behind the last one: every reader of a group, and every
 * device of a reader, sends it.
 */
function createStatusSieve(): (status: Pick<MessageStatus, 'externalMessageId' | 'status'>) => boolean {
  const ranks = new Newest<string, number>(MAX_REMEMBERED)
  return ({ externalMessageId, status }) => {
    if ((ranks.get(externalMessageId) ?? 0) >= RANKS[status]) return false
    ranks.set(externalMessageId, RANKS[status])
    return true
  }
}

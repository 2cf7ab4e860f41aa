import { errorFields } from '../process/log.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Listen } from '../socket/immediate-events.ts'

/**
 * Setting `readMessages`: marks messages as read once they are on the disk. Messages that the settings ignore are not
 * marked.
 */
export function hearArrivals(live: LiveSession, listen: Listen): void {
  listen('messages.upsert', ({ messages }) => {
    const ids = messages.flatMap(({ key: { id, fromMe } }) => (id && !fromMe ? [id] : []))
    if (live.settings.readMessages !== true || ids.length === 0) return
    live
      .inTurn(() => Promise.resolve())
      .then(() => markRead(live, ids))
      .catch((error: unknown) => live.log.warn(errorFields(error), 'messages could not be marked read'))
  })
}

/** Only messages that the settings let pass were noted. */
async function markRead(live: LiveSession, ids: readonly string[]): Promise<void> {
  await live.store.settled()
  const seen = await Promise.all(ids.map((id) => live.store.seen.find(id)))
  const keys = seen.flatMap((message) => message?.key ?? [])
  if (keys.length > 0 && live.isOpen) await live.sock.readMessages(keys)
}

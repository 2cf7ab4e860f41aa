import { errorFields } from '../process/log.ts'
import type { LiveSession } from '../session/live-session.ts'
import { applyLive } from '../session/settings-live.ts'
import type { Listen } from '../socket/immediate-events.ts'

/**
 * Learns the account's name from messages that its owner writes. Without a name the network takes no presence, so
 * `alwaysOnline` would not show.
 */
export function hearOwnName(live: LiveSession, listen: Listen): void {
  listen('messages.upsert', ({ messages }) => {
    const name = messages.find(({ key, pushName }) => key.fromMe && pushName)?.pushName
    const user = live.isOpen ? live.sock.user : undefined
    if (!name || !user || user.name) return
    live.sock.ev.emit('creds.update', { me: { ...user, name } })
    applyLive(live).catch((error: unknown) =>
      live.log.warn(errorFields(error), 'the presence of a number could not be sent to the network'),
    )
  })
}

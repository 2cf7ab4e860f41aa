import type { LiveSession } from './live-session.ts'

/**
 * Shows on the network what the settings of a session now are; does nothing while it is not connected. Called when it
 * opened, too.
 */
export async function applyLive(live: LiveSession): Promise<void> {
  if (!live.isOpen) return
  await live.sock.sendPresenceUpdate(live.settings.alwaysOnline === true ? 'available' : 'unavailable')
}

import type { LiveSession } from './live-session.ts'

/**
 * Applies a session's settings that show on the network; does nothing while it is not connected. It is also called when
 * the socket opened.
 */
export async function applyLive(live: LiveSession): Promise<void> {
  if (!live.isOpen) return
  await live.sock.sendPresenceUpdate(live.settings.alwaysOnline === true ? 'available' : 'unavailable')
}

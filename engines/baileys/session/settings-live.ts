import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import type { LiveSession } from './live-session.ts'

/** The settings before a gateway gave any: each is the engine's default. */
export const UNSET: BridgeSettings = {
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}

/**
 * Applies a session's settings that show on the network; does nothing while it is not connected. It is also called when
 * the socket opened.
 */
export async function applyLive(live: LiveSession): Promise<void> {
  if (!live.isOpen) return
  await live.sock.sendPresenceUpdate(live.settings.alwaysOnline === true ? 'available' : 'unavailable')
}

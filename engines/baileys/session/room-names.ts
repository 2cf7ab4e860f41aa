import { Newest } from '../process/newest.ts'
import type { LiveSession } from './live-session.ts'

/** our choice: most names of groups and channels that a session remembers; they come with lists and changes. */
const MAX_NAMES = 2_000

const NAMES = new WeakMap<LiveSession, Newest<string, string>>()

/** The name of a group or channel, if it was told; null otherwise. */
export function roomName(live: LiveSession, id: string): string | null {
  return NAMES.get(live)?.get(id) ?? null
}

/** Remembers names of groups and channels; beyond MAX_NAMES the oldest is forgotten. */
export function rememberRooms(
  live: LiveSession,
  rooms: readonly { readonly id: string; readonly name: string }[],
): void {
  const names = NAMES.get(live) ?? new Newest<string, string>(MAX_NAMES)
  NAMES.set(live, names)
  for (const { id, name } of rooms) names.set(id, name)
}

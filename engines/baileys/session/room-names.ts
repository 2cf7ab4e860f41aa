import type { LiveSession } from './live-session.ts'

/** our choice: names of groups and channels that a session remembers; they come with lists and changes. */
const MAX_NAMES = 2_000

const NAMES = new WeakMap<LiveSession, Map<string, string>>()

/** Names of the rooms of a session by their id, as far as they were told. */
export function roomNames(live: LiveSession): ReadonlyMap<string, string> {
  return NAMES.get(live) ?? new Map<string, string>()
}

/** Remembers names of rooms; of too many, the oldest is forgotten. */
export function rememberRooms(live: LiveSession, rooms: readonly { readonly id: string, readonly name: string }[]): void {
  const names = NAMES.get(live) ?? new Map<string, string>()
  NAMES.set(live, names)
  for (const { id, name } of rooms) {
    names.delete(id)
    names.set(id, name)
  }
  for (const id of names.keys()) {
    if (names.size <= MAX_NAMES) return
    names.delete(id)
  }
}

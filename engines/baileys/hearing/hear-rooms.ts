import type { LiveSession } from '../session/live-session.ts'
import { rememberRooms } from '../session/room-names.ts'
import type { Listen } from '../socket/immediate-events.ts'

/** Remembers the names of groups as the network tells them. */
export function hearRooms(live: LiveSession, listen: Listen): void {
  const learn = (groups: readonly { readonly id?: string; readonly subject?: string }[]): void => {
    rememberRooms(
      live,
      groups.flatMap(({ id, subject }) => (id && subject ? [{ id, name: subject }] : [])),
    )
  }
  listen('groups.upsert', learn)
  listen('groups.update', learn)
}

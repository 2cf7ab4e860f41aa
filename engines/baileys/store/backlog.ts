import type { EngineEvent } from '../protocol/engine-event.ts'
import type { Change } from './changes.ts'
import { backlogContext } from './contexts.ts'
import type { Parts } from './parts.ts'

/** Events of the past that wait for their turn on the disk, so that thousands of messages are not held in memory. */
export interface BacklogStore {
  /** Resolves once the events are on the disk. */
  put(events: readonly EngineEvent[]): Promise<void>
  /** The oldest events, and the changes that remove them, for the commit that tells them. */
  first(most: number): Promise<{ readonly events: readonly EngineEvent[]; readonly removal: readonly Change[] }>
}

export function backlogOf({ numberId, reader, writer, seal }: Parts): BacklogStore {
  const context = backlogContext(numberId)
  return {
    async put(events) {
      await writer.write(
        events.map((event) => ({
          op: 'backlog.put',
          numberId,
          value: seal.seal(context, Buffer.from(JSON.stringify(event))),
        })),
      )
    },
    async first(most) {
      const rows = await reader.read('backlog', { numberId, most })
      const last = rows.at(-1)
      return {
        events: rows.map(({ value }) => JSON.parse(seal.open(context, value).toString()) as EngineEvent),
        removal: last ? [{ op: 'backlog.remove', numberId, position: last.position }] : [],
      }
    },
  }
}

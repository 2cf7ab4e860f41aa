import type { DatabaseSync } from 'node:sqlite'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { Seal } from './seal.ts'
import { statement } from './statement.ts'
import type { Writer } from './writer.ts'

/** Events of the past that wait for their turn on the disk, so that thousands of messages are not held in memory. */
export interface BacklogStore {
  /** Resolves once the events are on the disk. */
  put(events: readonly EngineEvent[]): Promise<void>
  /** The oldest events, and the function that removes them, for use within a task of the writer. */
  first(limit: number): { readonly events: readonly EngineEvent[]; readonly remove: () => void }
}

interface Row {
  position: number
  value: Uint8Array
}

export function backlogOf(db: DatabaseSync, seal: Seal, writer: Writer, numberId: string): BacklogStore {
  const insert = statement(db, 'insert into backlog (number_id, value) values (?, ?)')
  const select = statement(db, 'select position, value from backlog where number_id = ? order by position limit ?')
  const remove = statement(db, 'delete from backlog where number_id = ? and position <= ?')
  const context = ['backlog', numberId]
  return {
    put(events) {
      return writer.write(() => {
        for (const event of events) insert.run(numberId, seal.seal(context, Buffer.from(JSON.stringify(event))))
      })
    },
    first(limit) {
      const rows = select.all(numberId, limit) as unknown as Row[]
      return {
        events: rows.map(({ value }) => JSON.parse(seal.open(context, value).toString()) as EngineEvent),
        remove: () => void remove.run(numberId, rows.at(-1)?.position ?? 0),
      }
    },
  }
}

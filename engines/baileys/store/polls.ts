import type { DatabaseSync } from 'node:sqlite'
import type { Seal } from './seal.ts'
import { statement } from './statement.ts'
import type { Writer } from './writer.ts'

/** our choice: how long, in ms, votes in a poll are read. Phones let people vote for as long as the poll is there. */
export const POLL_MS = 90 * 24 * 60 * 60 * 1_000

/** A poll that the gateway sent. Votes are sealed with its secret, and name options by their hashes. */
export interface StoredPoll {
  /** The network's id of the poll. */
  readonly externalId: string
  /** The gateway's id of the poll. */
  readonly messageId: string
  readonly secret: Uint8Array
  readonly options: readonly string[]
}

/** The polls of one number, kept longer than other sent messages. */
export interface PollStore {
  find(externalId: string): StoredPoll | null
  /** Stores a poll in the commit of the same turn of the event loop. Storing it twice changes nothing. */
  note(poll: StoredPoll): Promise<void>
}

export function pollsOf(db: DatabaseSync, seal: Seal, writer: Writer, numberId: string, now: () => number): PollStore {
  const select = statement(db, 'select value from polls where number_id = ? and external_id = ?')
  const insert = statement(
    db,
    'insert into polls (number_id, external_id, value, at) values (?, ?, ?, ?) on conflict do nothing',
  )
  const contextOf = (externalId: string): readonly string[] => ['poll', numberId, externalId]
  return {
    find(externalId) {
      const row = select.get(numberId, externalId) as { value: Uint8Array } | undefined
      if (!row) return null
      const { messageId, secret, options } = JSON.parse(seal.open(contextOf(externalId), row.value).toString()) as {
        messageId: string
        secret: string
        options: string[]
      }
      return { externalId, messageId, secret: Buffer.from(secret, 'base64'), options }
    },
    note({ externalId, messageId, secret, options }) {
      const value = JSON.stringify({ messageId, secret: Buffer.from(secret).toString('base64'), options })
      const sealed = seal.seal(contextOf(externalId), Buffer.from(value))
      return writer.write(() => void insert.run(numberId, externalId, sealed, now()))
    },
  }
}

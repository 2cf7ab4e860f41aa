import { pollContext } from './contexts.ts'
import type { Parts } from './parts.ts'

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
  find(externalId: string): Promise<StoredPoll | null>
  /** Stores a poll in the commit of the same turn of the event loop. Storing it twice changes nothing. */
  note(poll: StoredPoll): Promise<void>
}

export function pollsOf({ numberId, reader, writer, seal, now }: Parts): PollStore {
  return {
    async find(externalId) {
      const [row] = await reader.read('poll', { numberId, externalId })
      if (!row) return null
      const { messageId, secret, options } = JSON.parse(
        seal.open(pollContext(numberId, externalId), row.value).toString(),
      ) as {
        messageId: string
        secret: string
        options: string[]
      }
      return { externalId, messageId, secret: Buffer.from(secret, 'base64'), options }
    },
    async note({ externalId, messageId, secret, options }) {
      const plain = JSON.stringify({ messageId, secret: Buffer.from(secret).toString('base64'), options })
      const value = seal.seal(pollContext(numberId, externalId), Buffer.from(plain))
      await writer.write([{ op: 'poll.put', numberId, externalId, value, at: now() }])
    },
  }
}

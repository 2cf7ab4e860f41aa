import { createHash, randomUUID } from 'node:crypto'
import type { Change } from './changes.ts'
import type { Parts } from './parts.ts'
import type { OutgoingRow } from './queries.ts'

/** our choice: how long, in ms, peers that could not read a message may ask for it again. */
export const OUTGOING_MS = 72 * 60 * 60 * 1_000

/** PENDING means on its way, or unknown because the engine ended meanwhile. */
export type OutgoingState = 'PENDING' | 'SENT'

export interface OutgoingMessage {
  /** The gateway's id of the message. */
  readonly messageId: string
  /** The network's id of the message. */
  readonly externalId: string
  readonly state: OutgoingState
  readonly jid: string
  /** The message in the library's protobuf. */
  readonly message: Uint8Array
}

/** The sent messages of one number: one row for each id of the gateway, written before the message goes out. */
export interface OutgoingStore {
  find(messageId: string): Promise<OutgoingMessage | null>
  byExternalId(externalId: string): Promise<OutgoingMessage | null>
  /** Resolves once the row is on the disk. */
  begin(message: Omit<OutgoingMessage, 'state'>): Promise<void>
  /**
   * Marks a message as sent, with a delay. Until it is on the disk nobody knows whether the message went out, and a
   * repetition finds out.
   */
  markSent(messageId: string): Promise<void>
  /** Notes that the network named the message, so it went out; soon on the disk. */
  noteArrived(externalId: string): Promise<void>
  /** Deletes a row whose message surely never went out. */
  undo(messageId: string): Promise<void>
}

/**
 * The network's id of a message, derived from the gateway's, so that a repeated send has the same and phones show it
 * once. It has the form of the library's own ids.
 */
export function externalIdOf(numberId: string, messageId: string): string {
  return `3EB0${createHash('sha256')
    .update(JSON.stringify([numberId, messageId]))
    .digest('hex')
    .slice(0, 18)
    .toUpperCase()}`
}

/** Begins the names of rows that hold a change of an earlier message: no id of the gateway begins so. */
const CHANGE = 'change '

/** A new name for the row of a change. */
export function changeName(): string {
  return `${CHANGE}${randomUUID()}`
}

/** True for the name of a row that holds a change, which has no statuses of its own. */
export function isChange(messageId: string): boolean {
  return messageId.startsWith(CHANGE)
}

export function outgoingOf({ numberId, driver, writer, seal, now }: Parts): OutgoingStore {
  const contextOf = (messageId: string): readonly string[] => ['outgoing', numberId, messageId]
  const sent = (messageId: string): readonly Change[] => [{ op: 'outgoing.sent', numberId, messageId }]

  function open(row: OutgoingRow | undefined): OutgoingMessage | null {
    if (!row) return null
    const { jid, message } = JSON.parse(seal.open(contextOf(row.message_id), row.value).toString()) as {
      jid: string
      message: string
    }
    return {
      messageId: row.message_id,
      externalId: row.external_id,
      state: row.state,
      jid,
      message: Buffer.from(message, 'base64'),
    }
  }

  return {
    find: async (messageId) => open((await driver.read('outgoing', { numberId, messageId }))[0]),
    byExternalId: async (externalId) => open((await driver.read('outgoingByExternalId', { numberId, externalId }))[0]),
    async begin({ messageId, externalId, jid, message }) {
      const plain = Buffer.from(JSON.stringify({ jid, message: Buffer.from(message).toString('base64') }))
      const value = seal.seal(contextOf(messageId), plain)
      await writer.write(numberId, [{ op: 'outgoing.put', numberId, messageId, externalId, value, at: now() }])
    },
    async markSent(messageId) {
      await writer.writeSoon(numberId, () => sent(messageId))
    },
    async noteArrived(externalId) {
      const [row] = await driver.read('pending', { numberId, externalId })
      if (row) await writer.writeSoon(numberId, () => sent(row.message_id))
    },
    async undo(messageId) {
      await writer.write(numberId, [{ op: 'outgoing.remove', numberId, messageId }])
    },
  }
}

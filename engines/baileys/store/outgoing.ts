import { createHash, randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Seal } from './seal.ts'
import { statement } from './statement.ts'
import type { Writer } from './writer.ts'

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
  find(messageId: string): OutgoingMessage | null
  byExternalId(externalId: string): OutgoingMessage | null
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

interface Row {
  message_id: string
  external_id: string
  state: OutgoingState
  value: Uint8Array
}

export function outgoingOf(
  db: DatabaseSync,
  seal: Seal,
  writer: Writer,
  numberId: string,
  now: () => number,
): OutgoingStore {
  const columns = 'message_id, external_id, state, value'
  const select = statement(db, `select ${columns} from outgoing where number_id = ? and message_id = ?`)
  const selectExternal = statement(db, `select ${columns} from outgoing where number_id = ? and external_id = ?`)
  const insert = statement(
    db,
    "insert into outgoing (number_id, message_id, external_id, state, value, at) values (?, ?, ?, 'PENDING', ?, ?) on conflict do nothing",
  )
  const update = statement(db, "update outgoing set state = 'SENT' where number_id = ? and message_id = ?")
  const pending = statement(
    db,
    "select message_id from outgoing where number_id = ? and external_id = ? and state = 'PENDING'",
  )
  const remove = statement(db, 'delete from outgoing where number_id = ? and message_id = ?')
  const contextOf = (messageId: string): readonly string[] => ['outgoing', numberId, messageId]

  function open(row: Row | undefined): OutgoingMessage | null {
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
    find: (messageId) => open(select.get(numberId, messageId) as Row | undefined),
    byExternalId: (externalId) => open(selectExternal.get(numberId, externalId) as Row | undefined),
    begin({ messageId, externalId, jid, message }) {
      const value = Buffer.from(JSON.stringify({ jid, message: Buffer.from(message).toString('base64') }))
      return writer.write(
        () => void insert.run(numberId, messageId, externalId, seal.seal(contextOf(messageId), value), now()),
      )
    },
    markSent: (messageId) => writer.writeSoon(() => void update.run(numberId, messageId)),
    async noteArrived(externalId) {
      const row = pending.get(numberId, externalId) as Pick<Row, 'message_id'> | undefined
      if (row) await writer.writeSoon(() => void update.run(numberId, row.message_id))
    },
    undo: (messageId) => writer.write(() => void remove.run(numberId, messageId)),
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { Seal } from './seal.ts'
import { messageKeyOf, type JournalPart } from './stanza-part.ts'
import { statement } from './statement.ts'
import type { Writer } from './writer.ts'

/**
 * our choice: how long a told message is remembered by its name alone, in ms, so that a repetition tells nothing new.
 */
export const TOLD_MS = 72 * 60 * 60 * 1_000

/** A message of the journal, with its parts in order. */
export interface JournalledMessage {
  readonly messageKey: string
  readonly parts: readonly JournalPart[]
}

/**
 * Messages of one number that the network may count as delivered although the gateway has not stored them yet. A row is
 * written in the commit of the ratchet step that decrypted it, and leaves when the gateway acknowledged the event made
 * from it.
 */
export interface JournalStore {
  /** Writes a part, for use within a task of the writer. */
  put(part: JournalPart): void
  /** Writes a part that was not encrypted; it is on the disk when this returns. */
  putNow(part: JournalPart): void
  /** The plain bytes of a part that was decrypted before; null when it never was. */
  find(messageKey: string, part: number): Uint8Array | null
  /** Whether a message was told to the gateway, acknowledged or not. */
  isTold(messageKey: string): boolean
  /** Messages without an event so far, in the order of their decryption. */
  untold(): readonly JournalledMessage[]
  /**
   * Notes that a message was told, completely or by no event, for use within a task of the writer. `events` is how many
   * wait for an acknowledgement.
   */
  markTold(messageKey: string, events: number, atMs: number): void
}

interface Row {
  message_key: string
  part: number
  value: Uint8Array
}

export function journalOf(db: DatabaseSync, seal: Seal, writer: Writer, numberId: string): JournalStore {
  const insert = statement(
    db,
    'insert into journal (number_id, message_key, part, value) values (?, ?, ?, ?) on conflict do nothing',
  )
  const select = statement(db, 'select value from journal where number_id = ? and message_key = ? and part = ?')
  const told = statement(db, 'select 1 from told where number_id = ? and message_key = ?')
  const all = statement(
    db,
    'select message_key, part, value from journal where number_id = ? and events = 0 order by position',
  )
  const tell = statement(db, 'insert into told (number_id, message_key, at) values (?, ?, ?) on conflict do nothing')
  const wait = statement(db, 'update journal set events = ? where number_id = ? and message_key = ?')
  const remove = statement(db, 'delete from journal where number_id = ? and message_key = ?')
  const contextOf = (messageKey: string, part: number): readonly string[] => [
    'journal',
    numberId,
    messageKey,
    String(part),
  ]

  function put(part: JournalPart): void {
    const { plaintext, ...stanza } = part
    const messageKey = messageKeyOf(part.attrs)
    const head = Buffer.from(JSON.stringify(stanza))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(head.length)
    insert.run(
      numberId,
      messageKey,
      part.part,
      seal.seal(contextOf(messageKey, part.part), Buffer.concat([length, head, plaintext])),
    )
  }

  function open({ message_key: messageKey, part, value }: Row): JournalPart {
    const bytes = seal.open(contextOf(messageKey, part), value)
    const body = 4 + bytes.readUInt32BE()
    return { ...(JSON.parse(bytes.subarray(4, body).toString()) as JournalPart), plaintext: bytes.subarray(body) }
  }

  return {
    put,
    putNow(part) {
      void writer.write(() => put(part))
      writer.flush()
    },
    find(messageKey, part) {
      const row = select.get(numberId, messageKey, part) as { value: Uint8Array } | undefined
      return row ? open({ message_key: messageKey, part, value: row.value }).plaintext : null
    },
    isTold: (messageKey) => told.get(numberId, messageKey) !== undefined,
    untold() {
      const messages = new Map<string, JournalPart[]>()
      for (const row of all.all(numberId) as unknown as Row[]) {
        const parts = messages.get(row.message_key) ?? []
        parts.push(open(row))
        messages.set(row.message_key, parts)
      }
      return [...messages].map(([messageKey, parts]) => ({ messageKey, parts }))
    },
    markTold(messageKey, events, atMs) {
      tell.run(numberId, messageKey, atMs)
      if (events === 0) remove.run(numberId, messageKey)
      else wait.run(events, numberId, messageKey)
    },
  }
}

import type { Change } from './changes.ts'
import { journalContext } from './contexts.ts'
import type { Parts } from './parts.ts'
import { messageKeyOf, type JournalPart } from './stanza-part.ts'

/**
 * our choice: how long a told message is remembered by its name alone, in ms, so that a repetition tells nothing new.
 */
export const TOLD_MS = 72 * 60 * 60 * 1_000

/** A message of the journal, with its parts in order. */
export interface JournalledMessage {
  readonly messageKey: string
  readonly parts: readonly JournalPart[]
}

/** A part that came before. */
export interface KnownPart {
  /** Its plain bytes; null when its message was told and left the journal. */
  readonly plaintext: Uint8Array | null
}

/**
 * Messages of one number that the network may count as delivered although the gateway has not stored them yet. A row is
 * written in the commit of the ratchet step that decrypted it, and leaves when the gateway acknowledged the event made
 * from it.
 */
export interface JournalStore {
  /** The change that writes a part, for the commit of its ratchet step. */
  row(part: JournalPart): Change
  /** Writes a part that was not encrypted, unless its message was told; resolves once it is on the disk. */
  put(part: JournalPart): Promise<void>
  /** A part that came before, or one of a message that was told; null when neither is so. */
  find(messageKey: string, part: number): Promise<KnownPart | null>
  /** Whether a message was told to the gateway, acknowledged or not. */
  isTold(messageKey: string): Promise<boolean>
  /** Messages without an event so far, in the order of their decryption. */
  untold(): Promise<readonly JournalledMessage[]>
  /**
   * The changes that note that a message was told at `at` (ms since the epoch), completely or by no event, for the
   * commit of its events. `events` is how many wait for an acknowledgement.
   */
  told(messageKey: string, events: number, at: number): readonly Change[]
}

export function journalOf({ numberId, reader, writer, seal }: Parts): JournalStore {
  function rowOf(op: 'journal.put' | 'journal.putUntold', part: JournalPart): Change {
    const { plaintext, ...stanza } = part
    const messageKey = messageKeyOf(part.attrs)
    const head = Buffer.from(JSON.stringify(stanza))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(head.length)
    const value = seal.seal(journalContext(numberId, messageKey, part.part), Buffer.concat([length, head, plaintext]))
    return { op, numberId, messageKey, part: part.part, value }
  }

  function open(messageKey: string, part: number, value: Uint8Array): JournalPart {
    const bytes = seal.open(journalContext(numberId, messageKey, part), value)
    const body = 4 + bytes.readUInt32BE()
    return { ...(JSON.parse(bytes.subarray(4, body).toString()) as JournalPart), plaintext: bytes.subarray(body) }
  }

  return {
    row: (part) => rowOf('journal.put', part),
    async put(part) {
      await writer.write([rowOf('journal.putUntold', part)])
    },
    isTold: async (messageKey) => (await reader.read('told', { numberId, messageKey })).length > 0,
    async find(messageKey, part) {
      const rows = await reader.read('part', { numberId, messageKey, part })
      if (rows.length === 0) return null
      const value = rows.find((row) => row.value !== null)?.value
      return { plaintext: value ? open(messageKey, part, value).plaintext : null }
    },
    async untold() {
      const messages = new Map<string, JournalPart[]>()
      for (const { message_key: messageKey, part, value } of await reader.read('untold', { numberId })) {
        const parts = messages.get(messageKey) ?? []
        parts.push(open(messageKey, part, value))
        messages.set(messageKey, parts)
      }
      return [...messages].map(([messageKey, parts]) => ({ messageKey, parts }))
    },
    told: (messageKey, events, at) => [
      { op: 'told.put', numberId, messageKey, at },
      events === 0
        ? { op: 'journal.remove', numberId, messageKey }
        : { op: 'journal.wait', numberId, messageKey, events },
    ],
  }
}

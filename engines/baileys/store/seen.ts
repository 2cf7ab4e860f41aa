import { seenContext } from './contexts.ts'
import type { Parts } from './parts.ts'

/** our choice: how long, in ms, received messages can be marked read, answered and reacted to. */
export const SEEN_MS = 30 * 24 * 60 * 60 * 1_000
/**
 * our choice, as for sent messages: how long, in ms, the texts of received messages are kept, even for numbers whose
 * messages are stored nowhere else.
 */
export const QUOTE_MS = 72 * 60 * 60 * 1_000
/** our choice: most characters of a text that are quoted above its answer. */
const QUOTE_CHARACTERS = 1_000

export interface SeenKey {
  readonly remoteJid: string
  readonly participant: string | null
  readonly fromMe: boolean
  readonly id: string
}

/** A message that somebody wrote. The bridge names it by its id alone; the network needs all of these fields. */
export interface SeenMessage {
  readonly key: SeenKey
  /** The text of the message; empty for media without a caption, and after QUOTE_MS. */
  readonly text: string
}

/** Messages of others, and of the owner on other devices, by their id. */
export interface SeenStore {
  find(externalId: string): Promise<SeenMessage | null>
  /** Stores a message in the commit of the same turn of the event loop. Storing it twice changes nothing. */
  note(message: SeenMessage): Promise<void>
}

export function seenOf({ numberId, reader, writer, seal, now }: Parts): SeenStore {
  /** Messages on their way to the disk, so that a request right after a message finds it. */
  const noting = new Map<string, SeenMessage>()
  return {
    async find(externalId) {
      // Looked up first, because it may be on the disk only after the read, and then no longer here.
      const coming = noting.get(externalId) ?? null
      const [row] = await reader.read('seen', { numberId, externalId })
      if (!row) return coming ?? noting.get(externalId) ?? null
      const key = JSON.parse(seal.open(seenContext(numberId, externalId, 'key'), row.value).toString()) as SeenKey
      return { key, text: row.quote ? seal.open(seenContext(numberId, externalId, 'quote'), row.quote).toString() : '' }
    },
    async note(message) {
      const { key, text } = message
      const externalId = key.id
      const value = seal.seal(seenContext(numberId, externalId, 'key'), Buffer.from(JSON.stringify(key)))
      const quote =
        text === ''
          ? null
          : seal.seal(seenContext(numberId, externalId, 'quote'), Buffer.from(text.slice(0, QUOTE_CHARACTERS)))
      noting.set(externalId, message)
      try {
        await writer.write([{ op: 'seen.put', numberId, externalId, value, quote, at: now() }])
      } finally {
        noting.delete(externalId)
      }
    },
  }
}

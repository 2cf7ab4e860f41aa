import { messageKeyOf, type JournalPart } from '../../store/stanza-part.ts'

/** A decrypted part of a message with that id. */
export function part(id: string, place = 0, parts = 1): JournalPart {
  const attrs = { from: '1@lid', id }
  return { attrs, part: place, parts, type: 'msg', plaintext: Buffer.from(`secret words ${id}`) }
}

/** The name of that message in the journal. */
export function keyOf(id: string): string {
  return messageKeyOf(part(id).attrs)
}

/**
 * One encrypted part of a message stanza, as the journal keeps it: with the attributes, the message can be built again.
 */
export interface StanzaPart {
  /** Attributes of the message stanza. */
  readonly attrs: Readonly<Record<string, string>>
  /** Place of the part among those that can be decrypted, from 0. */
  readonly part: number
  /** How many such parts the stanza has. */
  readonly parts: number
  /** Type of the part: pkmsg, msg, skmsg, or plaintext. */
  readonly type: string
}

/** A part with what it said: padded as the sender padded it, except of type plaintext. */
export interface JournalPart extends StanzaPart {
  readonly plaintext: Uint8Array
}

/** Names a message within a number: ids are the sender's, and two senders may choose the same. */
export function messageKeyOf(attrs: StanzaPart['attrs']): string {
  return [attrs['from'], attrs['participant'] ?? '', attrs['id']].join('|')
}

/**
 * One encrypted part of a message stanza, as the journal stores it. From it and the attributes the message can be built
 * again.
 */
export interface StanzaPart {
  /** Attributes of the message stanza. */
  readonly attrs: Readonly<Record<string, string>>
  /** Place of the part among those that can be decrypted, from 0. */
  readonly part: number
  /** Number of such parts in the stanza. */
  readonly parts: number
  /** Type of the part: pkmsg, msg, skmsg, or plaintext. */
  readonly type: string
}

/** A part with its plain bytes, with the sender's padding except for type plaintext. */
export interface JournalPart extends StanzaPart {
  readonly plaintext: Uint8Array
}

/** Names a message within a number. Ids are the sender's, and two senders may choose the same. */
export function messageKeyOf(attrs: StanzaPart['attrs']): string {
  return [attrs['from'], attrs['participant'] ?? '', attrs['id']].join('|')
}

import type { ConversationId, NumberId } from '../../domain/ids.ts'
import { otherForms } from '../../domain/phone-forms.ts'
import type { Cipher } from '../../ports/cipher.ts'

/** Crockford's base 32 in lower case, the alphabet of every id. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 26

/**
 * The id of the conversation of a number with a peer (digits, or the id of a user, group or newsletter). It is made by
 * a keyed hash, so that the row is found without reading it, two that begin at once become one, and RELAY_ONLY can
 * count unread messages without keeping the address.
 */
export function conversationIdOf(cipher: Cipher, numberId: NumberId, peer: string): ConversationId {
  const bytes = cipher.token(peer, `conversation:${numberId}`)
  return `conv_${Array.from(bytes.subarray(0, LENGTH), (byte) => DIGITS.charAt(byte & 31)).join('')}`
}

/** A peer, by the ids that forms of the address make. */
export interface PeerIds {
  /** Made from the address itself. */
  readonly id: ConversationId
  /**
   * Made from other forms of a person's digits, likeliest first; null when there are none. They find a conversation
   * that exists, and never make one ([identities.joining.3]).
   */
  readonly others: readonly ConversationId[] | null
}

/** Gives the ids by which the conversation of a number with a peer is looked up; `findLed` and `ledToBy` take them. */
export function peerIdsOf(cipher: Cipher, numberId: NumberId, peer: string): PeerIds {
  const forms = otherForms(peer)
  return {
    id: conversationIdOf(cipher, numberId, peer),
    others: forms.length === 0 ? null : forms.map((form) => conversationIdOf(cipher, numberId, form)),
  }
}

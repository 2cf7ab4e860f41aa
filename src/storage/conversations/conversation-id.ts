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

/**
 * The ids that other forms of a person's digits make, likeliest first; null when there are none. They find a
 * conversation that exists, and never make one ([identities.joining.3]).
 */
export function otherIdsOf(cipher: Cipher, numberId: NumberId, peer: string): readonly ConversationId[] | null {
  const forms = otherForms(peer)
  return forms.length === 0 ? null : forms.map((form) => conversationIdOf(cipher, numberId, form))
}

import { BoundedMemory } from '../../domain/bounded-memory.ts'
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
  // A loop, because every send and status computes ids: `Array.from` costs ten times as much (measured).
  let id = ''
  for (let at = 0; at < LENGTH; at++) id += DIGITS.charAt((bytes[at] ?? 0) & 31)
  return `conv_${id}`
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

/**
 * Our choice: peers whose ids are remembered for each cipher, some 300 bytes each. A message asks for them when it is
 * accepted and with each of its statuses, and a keyed hash costs 4 µs (measured).
 */
const REMEMBERED = 20_000

const remembered = new WeakMap<Cipher, BoundedMemory<PeerIds>>()

/** Gives the ids by which the conversation of a number with a peer is looked up; `findLed` and `ledToBy` take them. */
export function peerIdsOf(cipher: Cipher, numberId: NumberId, peer: string): PeerIds {
  let memory = remembered.get(cipher)
  if (!memory) remembered.set(cipher, (memory = new BoundedMemory<PeerIds>({ most: REMEMBERED })))
  const name = `${numberId} ${peer}`
  const known = memory.use(name)
  if (known !== null) return known
  const made = makePeerIds(cipher, numberId, peer)
  memory.set(name, made)
  return made
}

function makePeerIds(cipher: Cipher, numberId: NumberId, peer: string): PeerIds {
  const forms = otherForms(peer)
  return {
    id: conversationIdOf(cipher, numberId, peer),
    others: forms.length === 0 ? null : forms.map((form) => conversationIdOf(cipher, numberId, form)),
  }
}

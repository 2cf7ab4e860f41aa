import { isUserId } from '../../../domain/user-id.ts'
import type { NamedPeer } from '../../../ports/stores/message-inbox.ts'
import { digitsIn, nameIn, objectsIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

/**
 * Pairs of keys by which the items of a change (contacts, messages, statuses, calls) name a user: the number's, then
 * the user id's.
 */
const KEYS = [
  ['wa_id', 'user_id'],
  ['from', 'from_user_id'],
  ['to', 'to_user_id'],
  ['recipient_id', 'recipient_user_id'],
] as const

/** Users whom a change names by number and by user id, each once. */
export function namedPeers(value: Fields): NamedPeer[] {
  const named = Object.keys(value)
    .flatMap((list) => objectsIn(value, list))
    .flatMap((item) =>
      KEYS.flatMap(([numberKey, idKey]) => {
        const digits = digitsIn(item, numberKey)
        const userId = nameIn(item, idKey)
        return digits !== null && userId !== null && /^\d+$/.test(digits) && isUserId(userId)
          ? [{ digits, userId }]
          : []
      }),
    )
  return [...new Map(named.map((peer) => [`${peer.userId} ${peer.digits}`, peer])).values()]
}

import type { Fields } from '../../../domain/json-fields.ts'
import { toldTogether } from '../../../domain/identity.ts'
import { isUserId } from '../../../domain/user-id.ts'
import type { NamedPeer } from '../../../ports/stores/message-inbox.ts'
import { digitsIn, objectIn, objectsIn } from '../values/loose.ts'

/**
 * Sets of keys by which an item of a change (contact, message, status, call) names one user, the best address to answer
 * to first. `input` is what a send called the user whose number upstream knows as `wa_id`.
 */
const KEYS = [
  ['wa_id', 'input', 'user_id', 'parent_user_id'],
  ['from', 'from_user_id', 'from_parent_user_id'],
  ['to', 'to_user_id', 'to_parent_user_id'],
  ['recipient_id', 'recipient_user_id', 'recipient_parent_user_id'],
] as const

/** Keys of what a system message says of a user who changed number or id, the present one of each kind first. */
const CHANGED = ['wa_id', 'new_wa_id', 'user_id', 'parent_user_id', 'customer', 'previous_user_id'] as const

/** Digits or a user's id; null for all else, such as the id of a group. */
function addressIn(fields: Fields | null, key: string): string | null {
  const address = digitsIn(fields, key)
  return address !== null && (/^\d+$/.test(address) || isUserId(address)) ? address : null
}

function addressesIn(fields: Fields | null, keys: readonly string[]): string[] {
  return keys.map((key) => addressIn(fields, key)).filter((address) => address !== null)
}

/** All that a system message names a user by; empty for other messages. */
function changedIn(message: Fields): string[] {
  const system = objectIn(message, 'system')
  return system === null ? [] : [...addressesIn(system, CHANGED), ...addressesIn(message, KEYS[1])]
}

/** The address of the user that a system message speaks of; null when it names nobody, and for other messages. */
export function changedUserOf(message: Fields): string | null {
  return changedIn(message)[0] ?? null
}

/** Users whom a change names by more than one address, each naming once. */
export function namedPeers(value: Fields): NamedPeer[] {
  const named = Object.keys(value)
    .flatMap((list) => objectsIn(value, list))
    .flatMap((item) => [changedIn(item), ...KEYS.map((keys) => addressesIn(item, keys))])
    .flatMap((addresses) => {
      const together = toldTogether(addresses)
      return together === null ? [] : [together]
    })
  return [...new Map(named.map((addresses) => [addresses.join(' '), { addresses }])).values()]
}

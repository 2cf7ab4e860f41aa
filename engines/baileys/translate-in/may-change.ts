import { jidNormalizedUser } from 'baileys'
import type { WAMessageKey } from 'baileys'
import { personOf, writerJids } from './address.ts'
import type { PhoneOf } from './address.ts'

/** What is known of the message that somebody wants to edit or revoke. */
export interface Target {
  /** True when the gateway sent it. */
  readonly isOurs: boolean
  /** The key under which it was noted; null when it never came here. */
  readonly key: WAMessageKey | null
}

/**
 * Whether a change may be made by its writer. The network carries any change, and clients have to check. The owner may
 * change everything, from any device; others may not change a message that never came here. Our choice: an
 * administrator's revocation of another's message in a group is not followed, because nothing in it proves the role.
 */
export function mayChange(change: WAMessageKey, { isOurs, key }: Target, phoneOf: PhoneOf): boolean {
  if (change.fromMe) return true
  if (isOurs || key === null || key.fromMe) return false
  const writer = normalized(key.participant || key.remoteJid)
  if (
    writer !== null
    && [
      change.participant ? null : change.remoteJid,
      change.participant,
      change.remoteJidAlt,
      change.participantAlt,
    ].some((jid) => normalized(jid) === writer)
  )
    return true
  const person = personOf(writerJids(change), phoneOf)
  return person !== null && person === personOf([key.participant || key.remoteJid], phoneOf)
}

function normalized(jid: string | null | undefined): string | null {
  return jid ? jidNormalizedUser(jid) : null
}

import { jidNormalizedUser } from 'baileys'
import type { WAMessageKey } from 'baileys'
import { personOf, writerJids } from './address.ts'
import type { PhoneOf } from './address.ts'

/** The message that somebody wants to edit or to take back, as far as it is known. */
export interface Target {
  /** The gateway sent it. */
  readonly isOurs: boolean
  /** Where it was noted; null: it never came here. */
  readonly key: WAMessageKey | null
}

/**
 * Whether a change is its writer's own. The network carries any: clients are the ones who look. The owner may do all,
 * on whichever device; what never came here nobody else may change. Our choice: what an administrator takes back of
 * another in a group is not followed, for nothing in the change proves that he is one.
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

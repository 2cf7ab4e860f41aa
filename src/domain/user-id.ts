import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { isLid } from './identity.ts'
import type { IdentityKind } from './identity.ts'
import { kindOf } from './kinds/kinds.ts'
import type { ProviderKind } from './number.ts'

/**
 * True when a text is the official platform's id of a user who may hide the number ([official.hidden-users.1]): a
 * country, a dot, up to 128 letters and digits, behind `ENT.` when it is that of a parent account
 * (`US.13491208655302741918`).
 */
export function isUserId(text: string): boolean {
  return /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)
}

/** What else than their number people are known by, in words for people. */
const KNOWN_AS: Readonly<Record<Exclude<IdentityKind, 'PHONE'>, string>> = {
  USER_ID: "upstream's user id (US.1349...)",
  LID: "the device network's id (...@lid)",
}

/**
 * Refuses the id of a person who hides the number on a kind of number that knows nobody by such an id; null when the
 * address fits the number.
 */
export function addressRefusal(provider: ProviderKind, address: string): Refusal | null {
  const { knows } = kindOf({ provider })
  const kind = isUserId(address) ? 'USER_ID' : isLid(address) ? 'LID' : 'PHONE'
  if (knows.includes(kind)) return null
  const ways = knows.map((way) => (way === 'PHONE' ? 'phone number' : KNOWN_AS[way])).join(' or ')
  return refuse('FEATURE_NOT_SUPPORTED', `${provider} numbers know people by ${ways} alone`)
}

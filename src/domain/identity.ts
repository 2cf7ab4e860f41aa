/** What a person may be known by ([identities.identities.1]). */
export const IDENTITY_KINDS = ['PHONE', 'USER_ID', 'LID'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]

/** One thing that the peer of a conversation is known by. */
export interface Identity {
  readonly kind: IdentityKind
  /** Digits, upstream's user id, or the device network's id of one that hides the number. */
  readonly value: string
  /** When upstream first named it with this conversation. */
  readonly since: Date
}

/** A person of the device network who hides the number, as that network writes it. */
const LID = /^\d+@lid$/

/** True for the id under which the device network knows a person who hides the number ([identities.looking-up.2]). */
export function isLid(address: string): boolean {
  return LID.test(address)
}

/** Tells what kind of identity an address of a person is; addresses have different forms. */
export function identityKindOf(address: string): IdentityKind {
  if (/^\d+$/.test(address)) return 'PHONE'
  return isLid(address) ? 'LID' : 'USER_ID'
}

/**
 * The addresses of one person that were told together, without those that are missing or told twice; null when fewer
 * than two are left, which says nothing.
 */
export function toldTogether(addresses: readonly (string | null | undefined)[]): readonly string[] | null {
  const told = new Set(addresses.filter((address) => address !== null && address !== undefined))
  return told.size > 1 ? [...told] : null
}

import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
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

/** Refuses a user's id on a kind of number that knows nobody by one; null when the address fits the number. */
export function userIdRefusal(provider: ProviderKind, address: string): Refusal | null {
  if (kindOf({ provider }).knowsUserIds || !isUserId(address)) return null
  return refuse('FEATURE_NOT_SUPPORTED', `${provider} numbers know users by phone number alone`)
}

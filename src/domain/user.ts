import type { UserId } from './ids.ts'
import { FAILED_AUTH_PER_MINUTE } from './limits.ts'
import type { Role } from './permissions.ts'

/** INVITED: has no password yet. DISABLED: signs in no more, whatever it has (contract 14). */
export const USER_STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** A person as sessions and grants name it. */
export interface UserRef {
  readonly id: UserId
  /** As it was written first. */
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/** A person of one tenant. */
export interface User extends UserRef {
  readonly status: UserStatus
  readonly lastSeenAt: Date | null
  readonly createdAt: Date
}

/** contract 14, in ms. */
export const INVITATION_MS = 7 * 24 * 3_600_000
/** contract 14: characters of a password. */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const
/** RFC 5321, 4.5.3.1.3: a path is 256 octets with its brackets. */
export const EMAIL_LENGTH = 254
/** our choice. */
export const USER_NAME_LENGTH = 100

/** What addresses are compared by: they differ by no case (contract 14). */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** Whether a text has the form of an invitation: 32 bytes as base64url. */
export function isInvitation(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * contract 14: failures of an account and an address, and of an account, within LOGIN_WINDOW_MS before it is refused.
 */
export const LOGIN_FAILURES = { ofAddress: 10, ofAccount: 100 } as const
/** contract 14, in ms. */
export const LOGIN_WINDOW_MS = 15 * 60_000

/** How many failures there may be within a time, in ms. */
export interface FailureLimit {
  readonly most: number
  readonly withinMs: number
}

/**
 * What failed logins are counted by. Whoever is no known browser of the account: by the address whatever the account
 * (contract 19), by both, and by the account, where the waits grow from minutes to hours while somebody goes on
 * guessing (our choice beyond the first). A browser that is known: by itself alone.
 */
export const LOGIN_LIMITS = {
  ofAddress: [{ most: FAILED_AUTH_PER_MINUTE, withinMs: 60_000 }],
  ofAddressAndAccount: [{ most: LOGIN_FAILURES.ofAddress, withinMs: LOGIN_WINDOW_MS }],
  ofAccount: [
    { most: LOGIN_FAILURES.ofAccount, withinMs: LOGIN_WINDOW_MS },
    { most: 200, withinMs: 2 * 3_600_000 },
    { most: 400, withinMs: 24 * 3_600_000 },
  ],
  ofBrowser: [{ most: LOGIN_FAILURES.ofAddress, withinMs: LOGIN_WINDOW_MS }],
} as const satisfies Record<string, readonly FailureLimit[]>

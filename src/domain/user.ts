import type { UserId } from './ids.ts'
import { FAILED_AUTH_PER_MINUTE } from './limits.ts'
import type { Role } from './permissions.ts'

/** INVITED has no password yet; DISABLED can no longer sign in ([people.users.2], [sessions.login.11]). */
export const USER_STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** The fields of a person that sessions and grants show. */
export interface UserRef {
  readonly id: UserId
  /** The address as it was first written. */
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

/** The life of an invitation, in ms ([people.users.10]). */
export const INVITATION_MS = 7 * 24 * 3_600_000
/** Characters of a password ([people.passwords.1]). */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const
/** RFC 5321, 4.5.3.1.3: a path is 256 octets with its brackets. */
export const EMAIL_LENGTH = 254
/** our choice, in characters. */
export const USER_NAME_LENGTH = 100

/** Gives the form by which addresses are compared, without case ([people.users.1]). */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** True when a text has the form of an invitation: 32 bytes as base64url. */
export function isInvitation(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * Failures within LOGIN_WINDOW_MS of an account from one address, and of an account in all, before logins are refused
 * ([sessions.login.12]).
 */
export const LOGIN_FAILURES = { ofAddress: 10, ofAccount: 100 } as const
/** The time within which failures count, in ms ([sessions.login.12]). */
export const LOGIN_WINDOW_MS = 15 * 60_000

/** How many failures there may be within a time, in ms. */
export interface FailureLimit {
  readonly most: number
  readonly withinMs: number
}

/**
 * What failed logins are counted by. A browser that the account does not know counts by its address whatever the
 * account ([sessions.login.10]), by both, and by the account, where the waits grow from minutes to hours while somebody
 * goes on guessing (our choice beyond the first). A known browser counts by itself alone.
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

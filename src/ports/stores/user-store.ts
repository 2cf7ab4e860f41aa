import type { Outcome } from '../../domain/errors.ts'
import type { TenantId, UserId, WebSessionId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import type { User } from '../../domain/user.ts'
import type { StandingUser, UserFields } from '../../domain/user-rules.ts'

export interface NewUser {
  readonly email: string
  readonly role: Role
  readonly name: string | null
}

/** What a person sets a password by, once; stored as a hash. */
export interface Invitation {
  /** 32 random bytes as base64url. */
  readonly token: string
  readonly expiresAt: Date
}

/** What whoever holds an invitation may know of it. */
export interface Invited {
  readonly email: string
  readonly name: string | null
  readonly tenantName: string
}

export interface InvitedUser {
  readonly user: User
  readonly invitation: Invitation
}

/** What signing in asks of an address. */
export interface SigningIn {
  readonly id: UserId
  readonly isActive: boolean
  /** With its parameters; null while nobody accepted an invitation. */
  readonly passwordHash: string | null
}

/** Decides on a person as it stands; nothing of the tenant's people changes meanwhile. Pure. */
export type Decide<T> = (standing: StandingUser) => Outcome<T>

/** People of tenants. Whoever is not of the tenant named is unknown to it. */
export interface UserStore {
  /** INVITED, with an invitation. Refusals: USER_ALREADY_EXISTS, whichever tenant the address is of. */
  create(tenantId: TenantId, user: NewUser): Promise<Outcome<InvitedUser>>
  /** Oldest first. */
  list(tenantId: TenantId): Promise<readonly User[]>
  find(tenantId: TenantId, id: string): Promise<User | null>
  /**
   * Writes what was decided: who is DISABLED then has no sessions and no invitation any more. Refusals: USER_NOT_FOUND
   * and those of `decide`.
   */
  change(tenantId: TenantId, id: string, decide: Decide<UserFields>): Promise<Outcome<User>>
  /** With sessions and invitation. Refusals as those of `change`. */
  remove(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<UserId>>
  /** A new one, in place of any before; password and sessions stay. Refusals as those of `change`. */
  invite(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<Invitation>>
  /** Whom an invitation is for, without using it up; null where it opens nothing. */
  findInvited(token: string): Promise<Invited | null>
  /** By the address, compared without case, in the whole installation. */
  findSigningIn(email: string): Promise<SigningIn | null>
  /** The same by id, of the tenant. */
  findSignedIn(tenantId: TenantId, id: UserId): Promise<SigningIn | null>
  /**
   * Null where the password is not of `from` any more, or its person not ACTIVE. All sessions of the person end, but
   * `kept`; so does an invitation.
   */
  replacePassword(
    id: UserId,
    hashes: { readonly from: string; readonly to: string },
    kept: WebSessionId,
  ): Promise<boolean>
  /** Deletes invitations that are over; answers how many. */
  purge(): Promise<number>
}

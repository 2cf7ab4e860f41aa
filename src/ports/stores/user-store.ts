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

/** A token with which a person sets a password, once; stored as a hash ([people.users.10]). */
export interface Invitation {
  /** 32 random bytes as base64url. */
  readonly token: string
  readonly expiresAt: Date
}

/** What the holder of an invitation may know of it. */
export interface Invited {
  readonly email: string
  readonly name: string | null
  readonly tenantName: string
}

export interface InvitedUser {
  readonly user: User
  readonly invitation: Invitation
}

/** What a login needs to know of an address. */
export interface SigningIn {
  readonly id: UserId
  readonly isActive: boolean
  /** The hash with its parameters; null while nobody accepted an invitation. */
  readonly passwordHash: string | null
}

/** Decides on a person by the present facts; nothing of the tenant's people changes meanwhile. Pure. */
export type Decide<T> = (standing: StandingUser) => Outcome<T>

/** People of tenants. A tenant does not see the people of others. */
export interface UserStore {
  /**
   * Creates a person as INVITED, with an invitation. Refusals: USER_ALREADY_EXISTS, whichever tenant has the address.
   */
  create(tenantId: TenantId, user: NewUser): Promise<Outcome<InvitedUser>>
  /** Lists people, oldest first. */
  list(tenantId: TenantId): Promise<readonly User[]>
  find(tenantId: TenantId, id: string): Promise<User | null>
  /**
   * Writes what was decided: a person who is DISABLED then loses sessions and invitation. Refusals: USER_NOT_FOUND and
   * those of `decide`.
   */
  change(tenantId: TenantId, id: string, decide: Decide<UserFields>): Promise<Outcome<User>>
  /** Removes a person with sessions and invitation. Refusals as those of `change`. */
  remove(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<UserId>>
  /** Makes a new invitation in place of any before; password and sessions stay. Refusals as those of `change`. */
  invite(tenantId: TenantId, id: string, decide: Decide<null>): Promise<Outcome<Invitation>>
  /** Finds whom an invitation is for, without using it up; null when it opens nothing. */
  findInvited(token: string): Promise<Invited | null>
  /** Finds a person by the address, compared without case, in the whole installation. */
  findSigningIn(email: string): Promise<SigningIn | null>
  /** Finds a person of the tenant by id. */
  findSignedIn(tenantId: TenantId, id: UserId): Promise<SigningIn | null>
  /**
   * Replaces the password; false when it is no longer that of `from`, or the person is not ACTIVE. All sessions of the
   * person but `kept` end, and so does an invitation.
   */
  replacePassword(
    id: UserId,
    hashes: { readonly from: string; readonly to: string },
    kept: WebSessionId,
  ): Promise<boolean>
  /** Deletes invitations that are over; gives their number. */
  purge(): Promise<number>
}

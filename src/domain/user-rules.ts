import { fail, refuse, succeed } from './errors.ts'
import type { Outcome, Refusal } from './errors.ts'
import type { Role } from './permissions.ts'
import type { User, UserStatus } from './user.ts'

/** Who changes people: the tenant's key, or a session with account:manage ([people.users.3]). */
export interface Editor {
  /** An OWNER, or an editor who acts as one: only such an editor makes and changes OWNERs ([people.owners.2]). */
  readonly isOwner: boolean
}

/** A person with the facts that decisions about the person need. */
export interface StandingUser {
  readonly user: User
  readonly hasPassword: boolean
  /** True for an ACTIVE OWNER when the tenant has no other ([people.owners.1]). */
  readonly isLastOwner: boolean
}

export interface UserPatch {
  readonly role?: Role | undefined
  readonly name?: string | null | undefined
  readonly status?: 'ACTIVE' | 'DISABLED' | undefined
}

/** The fields of a person that a change writes. */
export interface UserFields {
  readonly role: Role
  readonly name: string | null
  readonly status: UserStatus
}

const NOT_AN_OWNER = refuse('PERMISSION_DENIED', 'Only an OWNER makes or changes OWNERs')
const LAST_OWNER = refuse('LAST_OWNER', 'This is the last active OWNER of the account: make another one first')

/** Refuses an editor who is no OWNER where a role is, or becomes, OWNER; null when the editor may. */
export function roleRefusal({ isOwner }: Editor, ...roles: readonly Role[]): Refusal | null {
  return isOwner || !roles.includes('OWNER') ? null : NOT_AN_OWNER
}

/**
 * Decides what becomes of a person. Our choice: somebody who never had a password becomes INVITED where ACTIVE is asked
 * for, since nobody can sign in as that person. Refusals: PERMISSION_DENIED, LAST_OWNER.
 */
export function decideChange(
  { user, hasPassword, isLastOwner }: StandingUser,
  patch: UserPatch,
  editor: Editor,
): Outcome<UserFields> {
  const fields: UserFields = {
    role: patch.role ?? user.role,
    name: patch.name === undefined ? user.name : patch.name,
    status: patch.status === 'ACTIVE' ? (hasPassword ? 'ACTIVE' : 'INVITED') : (patch.status ?? user.status),
  }
  const refusal = roleRefusal(editor, user.role, fields.role)
  if (refusal) return fail(refusal)
  const isOwnerStill = fields.role === 'OWNER' && fields.status === 'ACTIVE'
  return isLastOwner && !isOwnerStill ? fail(LAST_OWNER) : succeed(fields)
}

/** Decides whether a person may be removed. Refusals: PERMISSION_DENIED, LAST_OWNER. */
export function decideRemoval({ user, isLastOwner }: StandingUser, editor: Editor): Outcome<null> {
  const refusal = roleRefusal(editor, user.role)
  if (refusal) return fail(refusal)
  return isLastOwner ? fail(LAST_OWNER) : succeed(null)
}

/**
 * Decides whether a person may be given a link to set a password: whoever has the link becomes that person. Our choice:
 * a DISABLED person gets none, because it would open nothing. Refusals: PERMISSION_DENIED, VALIDATION.
 */
export function decideInvitation({ user }: StandingUser, editor: Editor): Outcome<null> {
  const refusal = roleRefusal(editor, user.role)
  if (refusal) return fail(refusal)
  return user.status === 'DISABLED'
    ? fail(refuse('VALIDATION', 'This user is disabled: set status to ACTIVE first'))
    : succeed(null)
}

import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import { decideInvitation, roleRefusal, type Editor } from '../../domain/user-rules.ts'
import type { Invitation, InvitedUser, NewUser } from '../../ports/stores/user-store.ts'
import type { NamedUser } from './change.ts'
import type { UserPorts } from './ports.ts'

/**
 * Makes a person, who sets a password by the invitation ([people.users.4]). Refusals: PERMISSION_DENIED,
 * USER_ALREADY_EXISTS.
 */
export async function inviteUser(
  { users }: UserPorts,
  editor: Editor,
  tenantId: TenantId,
  user: NewUser,
): Promise<Outcome<InvitedUser>> {
  const refusal = roleRefusal(editor, user.role)
  return refusal ? fail(refusal) : users.create(tenantId, user)
}

/**
 * Makes a new invitation for a person, also for a forgotten password; older ones stop working ([people.users.8]).
 * Refusals: USER_NOT_FOUND, PERMISSION_DENIED, VALIDATION.
 */
export function inviteAgain(
  { users }: UserPorts,
  editor: Editor,
  { tenantId, id }: NamedUser,
): Promise<Outcome<Invitation>> {
  return users.invite(tenantId, id, (standing) => decideInvitation(standing, editor))
}

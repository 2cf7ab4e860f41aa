import type { Outcome } from '../../domain/errors.ts'
import type { TenantId, UserId } from '../../domain/ids.ts'
import type { User } from '../../domain/user.ts'
import { decideChange, decideRemoval, type Editor, type UserPatch } from '../../domain/user-rules.ts'
import type { UserPorts } from './ports.ts'

/** A person of a tenant, as a path names them. */
export interface NamedUser {
  readonly tenantId: TenantId
  readonly id: string
}

/**
 * Changes role, name or status of a person ([people.users.7]); it acts at once on their sessions, tokens and grants
 * ([people.owners.3]). Refusals: USER_NOT_FOUND, PERMISSION_DENIED, LAST_OWNER.
 */
export async function changeUser(
  { users, revokeCallers }: UserPorts,
  editor: Editor,
  { tenantId, id }: NamedUser,
  patch: UserPatch,
): Promise<Outcome<User>> {
  const changed = await users.change(tenantId, id, (standing) => decideChange(standing, patch, editor))
  if (changed.ok) await revokeCallers(changed.value.id)
  return changed
}

/**
 * Removes a person with their sessions and grants ([people.users.9], [people.owners.3]). Refusals: USER_NOT_FOUND,
 * PERMISSION_DENIED, LAST_OWNER.
 */
export async function removeUser(
  { users, revokeCallers }: UserPorts,
  editor: Editor,
  { tenantId, id }: NamedUser,
): Promise<Outcome<UserId>> {
  const removed = await users.remove(tenantId, id, (standing) => decideRemoval(standing, editor))
  if (removed.ok) await revokeCallers(removed.value)
  return removed
}

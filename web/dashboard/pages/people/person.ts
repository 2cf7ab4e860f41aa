import { ROLES } from '../../../../src/domain/permissions.ts'
import type { Role } from '../../../../src/domain/permissions.ts'
import type { Session } from '../../../ui/session/answers.ts'

/** A person as `/api/v1/users` shows it ([people.users.2]). */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly status: 'INVITED' | 'ACTIVE' | 'DISABLED'
  readonly lastSeenAt: string | null
}

/** The answer that has the link of an invitation, for the only time ([people.users.4] [people.users.8]). */
export interface WithLink {
  readonly inviteUrl: string
}

/** What a person is called on this page. */
export function calledOf({ name, email }: Pick<Person, 'name' | 'email'>): string {
  return name ?? email
}

/** The roles that a session may give: only an OWNER makes OWNERs ([people.owners.2]). */
export function rolesGivenBy(session: Session): readonly Role[] {
  return isOwner(session) ? ROLES : ROLES.filter((role) => role !== 'OWNER')
}

/** Whether a session may change a person: only an OWNER changes OWNERs ([people.owners.2]). */
export function mayChange(session: Session, { role }: Person): boolean {
  return isOwner(session) || role !== 'OWNER'
}

/** Who signed in by the key or a login link acts as an OWNER ([people.permissions.14]). */
function isOwner({ user }: Session): boolean {
  return user === null || user.role === 'OWNER'
}

import type { User } from '../../../domain/user.ts'
import type { Invitation } from '../../../ports/stores/user-store.ts'

/** A person as answered ([people.users.2]). */
export function presentUser(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    status: user.status,
    lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
  }
}

/** The address of an invitation ([people.users.10]). Its token is in the fragment, which browsers do not send. */
export function inviteUrl(baseUrl: string, { token }: Invitation): string {
  return `${baseUrl}/invite#${token}`
}

/** A new invitation, shown this once. */
export function presentInvitation(baseUrl: string, invitation: Invitation) {
  return { inviteUrl: inviteUrl(baseUrl, invitation), expiresAt: invitation.expiresAt.toISOString() }
}

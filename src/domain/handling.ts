import type { ConversationId, NoteId, NumberId, UserId } from './ids.ts'
import { permissionsOf, type Role, ROLES } from './permissions.ts'
import type { User } from './user.ts'

/** Our choice, in characters: the longest text that a message may have ([messages.modes.1]). */
export const NOTE_LENGTH = 4_096
/** Our choice: notes of one conversation. Those that are written at once may go a little beyond it. */
export const MOST_NOTES = 1_000

/** A person as a conversation shows it: `name` is the address of a person without a name. */
export interface Handler {
  readonly id: UserId
  readonly name: string
}

/** A note that people of the account leave each other; nobody else sees it ([handling.notes.1]). */
export interface Note {
  readonly id: NoteId
  /** Null when the session was opened by the tenant's key or a login link. A person who was removed keeps the name. */
  readonly author: Handler | null
  readonly text: string
  readonly createdAt: Date
}

/** Whom a conversation is assigned to. */
export interface Assignment {
  /** `isActive` is false once the person can no longer sign in or answer. */
  readonly assignee: Handler & { readonly isActive: boolean }
  readonly assignedAt: Date
}

/** A conversation that is assigned to somebody. */
export interface AssignedConversation extends Assignment {
  readonly conversationId: ConversationId
  readonly numberId: NumberId
}

/** Roles whose people may answer conversations, and so may be assigned one ([handling.assignment.2]). */
export const HANDLING_ROLES: readonly Role[] = ROLES.filter((role) => permissionsOf(role).has('chat:send'))

/** Whether a conversation may be assigned to a person. */
export function mayHandle({ status, role }: Pick<User, 'status' | 'role'>): boolean {
  return status === 'ACTIVE' && HANDLING_ROLES.includes(role)
}

/** Gives a person as conversations show it. */
export function handlerOf({ id, name, email }: Pick<User, 'id' | 'name' | 'email'>): Handler {
  return { id, name: name ?? email }
}

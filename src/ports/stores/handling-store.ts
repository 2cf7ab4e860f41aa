import type { Outcome } from '../../domain/errors.ts'
import type { AssignedConversation, Assignment, Handler, Note } from '../../domain/handling.ts'
import type { NoteId, TenantId, UserId } from '../../domain/ids.ts'

export interface NewNote {
  readonly author: Handler | null
  readonly text: string
}

/**
 * How the people of a tenant handle its conversations. Every refusal is CONVERSATION_NOT_FOUND where the tenant does
 * not have the conversation. Whoever listens to the account is told of changes.
 */
export interface HandlingStore {
  /** Whom the conversation is assigned to; null when to nobody. */
  assignment(tenantId: TenantId, conversationId: string): Promise<Outcome<Assignment | null>>
  /**
   * Assigns a conversation to a person, or to nobody. Refusal: USER_NOT_FOUND when the tenant has no such person who
   * may answer.
   */
  assign(tenantId: TenantId, conversationId: string, userId: string | null): Promise<Outcome<Assignment | null>>
  /** Lists the conversations of a person, or of all people, last assigned first. */
  assigned(tenantId: TenantId, userId: UserId | null, limit: number): Promise<readonly AssignedConversation[]>
  /** Reads notes, newest first: those before the named one, or the newest. */
  notes(
    tenantId: TenantId,
    conversationId: string,
    before: string | null,
    limit: number,
  ): Promise<Outcome<readonly Note[]>>
  /** Refusal: NOTE_LIMIT. */
  addNote(tenantId: TenantId, conversationId: string, note: NewNote): Promise<Outcome<Note>>
  /** Removes a note, of this author alone unless that is 'anybody'. Refusals: NOTE_NOT_FOUND, FORBIDDEN. */
  removeNote(
    tenantId: TenantId,
    conversationId: string,
    noteId: string,
    author: UserId | 'nobody' | 'anybody',
  ): Promise<Outcome<NoteId>>
}

import type { words as english } from '../../../words/dashboard/inbox/en.ts'
import type { Like } from '../../../words/language.ts'

export type InboxWords = Like<typeof english>

/** A person as conversations show it ([handling.assignment.1]). */
export interface Handler {
  readonly id: string
  readonly name: string
}

/** Whom a conversation is assigned to ([handling.routes.1]). */
export interface Assigned {
  /** `isActive` is false when the person can no longer answer. */
  readonly assignee: (Handler & { readonly isActive: boolean }) | null
  readonly assignedAt: string | null
}

/** A conversation of the list of assigned ones ([handling.routes.4]). */
export interface AssignedConversation extends Assigned {
  readonly id: string
  readonly numberId: string
  /** Null when privacy withholds it; so is `fromName`, also when nobody knows it. */
  readonly from: string | null
  readonly fromName: string | null
  readonly unreadCount: number
  readonly lastMessageAt: string | null
}

/** A note ([handling.notes.1]). */
export interface Note {
  readonly id: string
  readonly author: Handler | null
  readonly text: string
  readonly createdAt: string
}

/** The path of what is about a conversation. */
export function pathOf(conversationId: string, what: 'assignee' | 'notes'): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}/${what}`
}

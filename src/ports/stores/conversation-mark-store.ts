import type { ConversationId, NumberId } from '../../domain/ids.ts'

/** What is changed of a conversation; what is absent stays. */
export interface ConversationMarks {
  /** Reading the conversation takes this mark away. */
  readonly isMarkedUnread?: boolean
  /** Archiving again keeps the earlier time. */
  readonly isArchived?: boolean
}

/** What people note of conversations in an inbox. */
export interface ConversationMarkStore {
  /** False when the number has no such conversation. One that became part of another is found by its old id. */
  mark(numberId: NumberId, conversationId: ConversationId | string, marks: ConversationMarks): Promise<boolean>
}

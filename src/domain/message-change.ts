import type { MessageContent, MessageType } from './message.ts'
import { NO_CONTENT } from './message.ts'

/** What upstream says of a message after it was written: its writer said something else instead, or took it back. */
export interface MessageChange {
  /** Upstream id of the message that changed. */
  readonly externalMessageId: string
  readonly kind: 'EDIT' | 'REVOKE'
  /** When it changed per the provider. */
  readonly at: Date
  /** Of edits: what it says now; null when upstream does not tell, and of revocations. */
  readonly edited: { readonly messageType: MessageType; readonly content: MessageContent } | null
}

/** The part of a message that a change touches. */
export interface ChangeableMessage {
  readonly type: MessageType
  /** Null when privacy withholds it. */
  readonly content: MessageContent | null
  readonly editedAt: Date | null
  readonly revokedAt: Date | null
}

/** Changes whose message has not come yet, as one: the newest edit, or that it was taken back. */
export interface WaitingChange {
  readonly edited: MessageChange['edited']
  readonly editedAt: Date | null
  readonly revokedAt: Date | null
}

/**
 * Nothing that came after a revocation counts, nor an edit that is older than the last. Upstream counts in seconds: of
 * two in one the later told counts.
 */
function isLate(
  { editedAt, revokedAt }: Pick<ChangeableMessage, 'editedAt' | 'revokedAt'>,
  { kind, at }: MessageChange,
): boolean {
  return revokedAt !== null || (kind === 'EDIT' && editedAt !== null && at.getTime() < editedAt.getTime())
}

/** The message after a change; null: it changes nothing. */
export function changedMessage(message: ChangeableMessage, change: MessageChange): ChangeableMessage | null {
  if (isLate(message, change)) return null
  const { content } = message
  if (change.kind === 'REVOKE') return { ...message, content: content && NO_CONTENT, revokedAt: change.at }
  const { edited } = change
  if (edited === null) return { ...message, editedAt: change.at }
  return {
    ...message,
    editedAt: change.at,
    // Our choice: an edit makes no other kind of message, except of one that could not be read before.
    type: message.type === 'unsupported' ? edited.messageType : message.type,
    content: content && editedContent(content, edited.content),
  }
}

/**
 * The text is replaced, a caption that is gone too; other parts, which nobody can edit, stay where the edit leaves them
 * out.
 */
function editedContent(before: MessageContent, edit: MessageContent): MessageContent {
  return {
    text: edit.text,
    media: edit.media ?? before.media,
    location: edit.location ?? before.location,
    contacts: edit.contacts ?? before.contacts,
    reaction: edit.reaction ?? before.reaction,
    interactive: edit.interactive ?? before.interactive,
    ...(edit.upstream === undefined ? {} : { upstream: edit.upstream }),
  }
}

/** What waits after a change; null: it changes nothing. */
export function changedWaiting(waiting: WaitingChange | null, change: MessageChange): WaitingChange | null {
  const before = waiting ?? { edited: null, editedAt: null, revokedAt: null }
  if (isLate(before, change)) return null
  return change.kind === 'REVOKE'
    ? { edited: null, editedAt: before.editedAt, revokedAt: change.at }
    : { ...before, edited: change.edited, editedAt: change.at }
}

/** What waited, as changes of the message `externalMessageId`, oldest first. */
export function waitingChanges(
  externalMessageId: string,
  { edited, editedAt, revokedAt }: WaitingChange,
): MessageChange[] {
  return [
    ...(editedAt === null ? [] : [{ externalMessageId, kind: 'EDIT', at: editedAt, edited } as const]),
    ...(revokedAt === null ? [] : [{ externalMessageId, kind: 'REVOKE', at: revokedAt, edited: null } as const]),
  ]
}

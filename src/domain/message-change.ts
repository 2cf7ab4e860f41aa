import type { MessageContent, MessageType } from './message.ts'
import { NO_CONTENT } from './message.ts'

/** A change of a written message that upstream tells of or made: its writer edited it, or took it back. */
export interface MessageChange {
  /** Upstream id of the message that changed. */
  readonly externalMessageId: string
  readonly kind: 'EDIT' | 'REVOKE'
  /** When it changed per the provider. */
  readonly at: Date
  /** The new content of an edit; null when upstream does not tell it, and of a revocation. */
  readonly edited: { readonly messageType: MessageType; readonly content: MessageContent } | null
  /** True when the service asked for it and upstream did it: it is the newest, whatever the clocks say. */
  readonly isAsked?: boolean
}

/** The part of a message that a change touches. */
export interface ChangeableMessage {
  readonly type: MessageType
  /** Null when privacy withholds it. */
  readonly content: MessageContent | null
  readonly editedAt: Date | null
  readonly revokedAt: Date | null
}

/** The changes of a message that has not come yet, joined into one: the newest edit, or the revocation. */
export interface WaitingChange {
  readonly edited: MessageChange['edited']
  readonly editedAt: Date | null
  readonly revokedAt: Date | null
}

/**
 * True for a change that comes after a revocation, and for an edit older than the last. Upstream counts in seconds: of
 * two edits in one second the one told later counts.
 */
function isLate(
  { editedAt, revokedAt }: Pick<ChangeableMessage, 'editedAt' | 'revokedAt'>,
  { kind, at, isAsked = false }: MessageChange,
): boolean {
  if (revokedAt !== null) return true
  return kind === 'EDIT' && !isAsked && editedAt !== null && at.getTime() < editedAt.getTime()
}

/** When an edit happened; one that was asked for never happened before the one that it follows. */
function editTime(editedAt: Date | null, { at, isAsked = false }: MessageChange): Date {
  return isAsked && editedAt !== null && editedAt > at ? editedAt : at
}

/** Gives the message after a change; null when it changes nothing. */
export function changedMessage(message: ChangeableMessage, change: MessageChange): ChangeableMessage | null {
  if (isLate(message, change)) return null
  const { content } = message
  if (change.kind === 'REVOKE') return { ...message, content: content && NO_CONTENT, revokedAt: change.at }
  const { edited } = change
  const editedAt = editTime(message.editedAt, change)
  if (edited === null) return { ...message, editedAt }
  return {
    ...message,
    editedAt,
    // Our choice: an edit makes no other kind of message, except of one that could not be read before.
    type: message.type === 'unsupported' ? edited.messageType : message.type,
    content: content && editedContent(content, edited.content),
  }
}

/**
 * The edit's text replaces the old one, even when a caption is gone. Other parts cannot be edited, so those that the
 * edit leaves out stay. The order that the message was made of goes, because it has the old words.
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

/** Gives what waits after a change; null when it changes nothing. */
export function changedWaiting(waiting: WaitingChange | null, change: MessageChange): WaitingChange | null {
  const before = waiting ?? { edited: null, editedAt: null, revokedAt: null }
  if (isLate(before, change)) return null
  return change.kind === 'REVOKE'
    ? { edited: null, editedAt: before.editedAt, revokedAt: change.at }
    : { ...before, edited: joinedEdit(before.edited, change.edited), editedAt: editTime(before.editedAt, change) }
}

/** Joins edits so that one does to a message what both would do one after another. */
function joinedEdit(first: MessageChange['edited'], second: MessageChange['edited']): MessageChange['edited'] {
  if (first === null || second === null) return second ?? first
  return {
    messageType: first.messageType === 'unsupported' ? second.messageType : first.messageType,
    content: editedContent(first.content, second.content),
  }
}

/** Gives what waited as changes of the message `externalMessageId`, oldest first. */
export function waitingChanges(
  externalMessageId: string,
  { edited, editedAt, revokedAt }: WaitingChange,
): MessageChange[] {
  return [
    ...(editedAt === null ? [] : [{ externalMessageId, kind: 'EDIT', at: editedAt, edited } as const]),
    ...(revokedAt === null ? [] : [{ externalMessageId, kind: 'REVOKE', at: revokedAt, edited: null } as const]),
  ]
}

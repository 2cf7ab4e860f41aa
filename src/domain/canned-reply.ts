import type { CannedReplyId } from './ids.ts'

/** Our choice: canned replies of a tenant. All are answered at once, so they have to be few. */
export const MOST_CANNED_REPLIES = 500
/** Our choice, in characters: what is typed behind the slash. */
export const SHORTCUT_LENGTH = 32
/** In characters: the longest text that a message may have ([messages.modes.1]). */
export const CANNED_TEXT_LENGTH = 4_096

/** A text that a person keeps to answer with ([canned-replies.object.1]). */
export interface CannedReply {
  readonly id: CannedReplyId
  /** What brings it, in small letters; it exists once in the account. */
  readonly shortcut: string
  readonly text: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a person writes of it. */
export type CannedReplyFields = Pick<CannedReply, 'shortcut' | 'text'>

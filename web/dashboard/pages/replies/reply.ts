import type { words as english } from '../../../words/dashboard/replies/en.ts'
import type { Like } from '../../../words/language.ts'

export type RepliesWords = Like<typeof english>

/** A canned reply as the service answers it ([canned-replies.object.1]). */
export interface CannedReply {
  readonly id: string
  readonly shortcut: string
  readonly text: string
  readonly updatedAt: string
}

/** The address of canned replies in the API. */
export const REPLIES_PATH = '/api/v1/canned-replies'

import type { MessageId, NumberId } from '../../domain/ids.ts'
import type { MessageMedia } from '../../domain/message.ts'

/** The facts of a message's file that were found by reading it. */
export type MediaFacts = Pick<MessageMedia, 'fileId' | 'sizeBytes' | 'durationMs' | 'waveform'>

export interface MediaFactStore {
  /**
   * Stores the facts with the message, if it still has the file. What privacy or its sender removed meanwhile stays
   * removed; inboxes that show the message are told.
   */
  learnMedia(numberId: NumberId, messageId: MessageId | string, facts: MediaFacts): Promise<void>
}

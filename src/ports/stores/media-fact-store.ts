import type { MessageId, NumberId } from '../../domain/ids.ts'
import type { MessageMedia } from '../../domain/message.ts'

/** What is known of the file of a message once it was looked at. */
export type MediaFacts = Pick<MessageMedia, 'fileId' | 'sizeBytes' | 'durationMs' | 'waveform'>

export interface MediaFactStore {
  /**
   * Stores them with the message, as long as it has a file. What privacy or its sender took away meanwhile stays away;
   * who reads along is told.
   */
  learnMedia(numberId: NumberId, messageId: MessageId | string, facts: MediaFacts): Promise<void>
}

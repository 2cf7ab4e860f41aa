import type { FileId, MessageId, NumberId } from '../domain/ids.ts'
import type { Sound } from './message-media.ts'

/** A file of a stored message that this node has. */
export interface KnownMedia {
  readonly numberId: NumberId
  readonly messageId: MessageId
  readonly fileId: FileId
  /** Of a file whose size, or which itself, the message does not tell yet; null: it does, or is not to. */
  readonly sizeBytes: number | null
  /** Null: not listened to, if it is one. */
  readonly sound: Sound | null
  /** It may be a sound and is to be listened to. */
  readonly isUnheard: boolean
}

/** Has it stored with the message what its file is. Returns at once, never throws: nobody waits for this. */
export type TellMediaKnown = (known: KnownMedia) => void

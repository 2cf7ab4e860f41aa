import type { FileId, MessageId, NumberId } from '../domain/ids.ts'
import type { Sound } from './message-media.ts'

/** A file of a stored message, present on this node. */
export interface KnownMedia {
  readonly numberId: NumberId
  readonly messageId: MessageId
  readonly fileId: FileId
  /** The size, when the message does not tell its file or size yet; null when it does, or must not. */
  readonly sizeBytes: number | null
  /** Null when the file was not listened to, or is no sound. */
  readonly sound: Sound | null
  /** True when the file may be a sound and is still to be listened to. */
  readonly isUnheard: boolean
}

/** Has the facts of a file stored with its message. Returns at once and never throws, since nobody waits for this. */
export type TellMediaKnown = (known: KnownMedia) => void

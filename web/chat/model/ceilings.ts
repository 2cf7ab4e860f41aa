import {
  ANIMATED_STICKER_BYTES,
  AUDIO_BYTES,
  DOCUMENT_BYTES,
  IMAGE_BYTES,
  VIDEO_BYTES,
} from '../../../src/domain/limits.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { Provider } from './message.ts'

export type MediaType = 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'

/** The largest file that a send of each type may carry, in bytes (docs/contract/media.md). */
const CEILINGS: Readonly<Record<MediaType, number>> = {
  image: IMAGE_BYTES,
  video: VIDEO_BYTES,
  audio: AUDIO_BYTES,
  voice: AUDIO_BYTES,
  document: DOCUMENT_BYTES,
  sticker: ANIMATED_STICKER_BYTES,
}

/** [messages.modes.2]: characters of a caption. */
export const CAPTION_CHARACTERS = 1_024
/** Our choice: the most files that are taken at once; a session may send 60 messages a minute ([embeds.errors.3]). */
export const FILES_AT_ONCE = 10

/** The media type a file is sent as: by its MIME type, and as a document when no other type fits. */
export function mediaTypeOf(mimeType: string): MediaType {
  if (/^image\/(?:jpeg|png)$/.test(mimeType)) return 'image'
  if (/^video\/(?:mp4|3gpp|quicktime|webm)$/.test(mimeType)) return 'video'
  if (mimeType.startsWith('audio/')) return 'audio'
  return 'document'
}

/** Whether a file can have a caption: audio has none. */
export function hasCaption({ type }: Pick<File, 'type'>): boolean {
  return mediaTypeOf(type) !== 'audio'
}

/**
 * The most bytes that a file of a type may have. A larger video is accepted where the number's kind has the service
 * make it smaller.
 */
export function ceilingOf(type: MediaType, provider: Provider): number {
  return (type === 'video' ? kindOf({ provider }).media.convertibleBytes : null) ?? CEILINGS[type]
}

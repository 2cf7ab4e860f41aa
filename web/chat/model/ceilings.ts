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

/** spec: Limits, send media ceilings, in bytes. */
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
/** Our choice: files that are taken at once; a session may send 60 messages a minute ([embeds.errors.3]). */
export const FILES_AT_ONCE = 10

/** As what a file is sent: by its type, a document where nothing else fits. */
export function mediaTypeOf(mimeType: string): MediaType {
  if (/^image\/(?:jpeg|png)$/.test(mimeType)) return 'image'
  if (/^video\/(?:mp4|3gpp|quicktime|webm)$/.test(mimeType)) return 'video'
  if (mimeType.startsWith('audio/')) return 'audio'
  return 'document'
}

/** Whether a caption can stand below a file: sounds have none. */
export function hasCaption({ type }: Pick<File, 'type'>): boolean {
  return mediaTypeOf(type) !== 'audio'
}

/** The most bytes that may be sent of a kind: larger videos are made smaller where the kind of number has them so. */
export function ceilingOf(type: MediaType, provider: Provider): number {
  return (type === 'video' ? kindOf({ provider }).media.convertibleBytes : null) ?? CEILINGS[type]
}

import type { ImageFormat, MediaFault } from '../../engines/media/protocol/converting.ts'
import type { VideoWork } from '../domain/kinds/kind.ts'
import { kindOf } from '../domain/kinds/kinds.ts'
import {
  ANIMATED_STICKER_BYTES,
  AUDIO_BYTES,
  DOCUMENT_BYTES,
  IMAGE_BYTES,
  STICKER_BYTES,
  STICKER_PIXELS,
  VIDEO_BYTES,
} from '../domain/limits.ts'
import { WAVE_FAULTS } from '../domain/media-text.ts'
import type { MediaKind, MessageFailure } from '../domain/message.ts'
import type { ProviderKind } from '../domain/number.ts'
import { factsOf } from './file-type.ts'
import type { FileType } from './file-type.ts'

/**
 * Ceilings of media that is sent, in bytes ([media.ceilings.1] to [media.ceilings.5]). A sticker has that of an
 * animated one until it is known to be static.
 */
export const CEILINGS: Readonly<Record<MediaKind, number>> = {
  image: IMAGE_BYTES,
  video: VIDEO_BYTES,
  document: DOCUMENT_BYTES,
  audio: AUDIO_BYTES,
  voice: AUDIO_BYTES,
  sticker: ANIMATED_STICKER_BYTES,
}
/** Upstream's code for a media that it cannot use ([media.sending.7]). */
const UPLOAD_ERROR = 131_053

/** The work on a file whose type may be sent. */
export type Plan =
  | { readonly work: 'image'; readonly inputBytes: number; readonly format: ImageFormat }
  | { readonly work: 'sticker'; readonly inputBytes: number; readonly format: ImageFormat }
  | { readonly work: 'audio'; readonly inputBytes: number }
  | { readonly work: 'video'; readonly inputBytes: number; readonly convert: VideoWork }
  | { readonly work: 'none'; readonly inputBytes: number }

export type Ceilings = Readonly<Record<MediaKind, number>>

/** The most that a file of a kind may measure, in bytes, before anything is known of it. */
export function mostBytes(provider: ProviderKind, kind: MediaKind, ceilings: Ceilings = CEILINGS): number {
  const before = kind === 'video' ? kindOf({ provider }).media.convertibleBytes : null
  return before === null ? ceilings[kind] : Math.max(before, ceilings[kind])
}

const IMAGE_FORMATS: Readonly<Partial<Record<FileType, ImageFormat>>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Decides by its type whether a file may be sent as a kind, and what work it needs; else why not. */
export function planOf(
  provider: ProviderKind,
  kind: MediaKind,
  type: FileType,
  ceilings: Ceilings = CEILINGS,
): Plan | MessageFailure {
  const inputBytes = ceilings[kind]
  const { takesWebp, takesVideoDocuments } = kindOf({ provider }).media
  if (kind === 'image') {
    const format = IMAGE_FORMATS[type]
    if (!format || (format === 'webp' && !takesWebp))
      return unsupported(kind, type, takesWebp ? 'Send JPEG, PNG or WebP.' : 'Send JPEG or PNG.')
    return { work: 'image', inputBytes, format }
  }
  if (kind === 'sticker')
    return type === 'image/webp'
      ? { work: 'sticker', inputBytes, format: 'webp' }
      : stickerFault(`A sticker must be image/webp; the file is ${type}.`)
  if (kind === 'audio' || kind === 'voice') {
    // Some recorders put sound alone into a container of video, so its streams decide.
    return factsOf(type).format ? { work: 'audio', inputBytes } : unsupported(kind, type, 'Send an audio file.')
  }
  if (kind === 'document') {
    if (!takesVideoDocuments && factsOf(type).family === 'video')
      return unsupported(kind, type, 'Send a video as video.')
    return { work: 'none', inputBytes }
  }
  return videoPlan(provider, type, ceilings)
}

function videoPlan(provider: ProviderKind, type: FileType, ceilings: Ceilings): Plan | MessageFailure {
  const { videos, videoTypes } = kindOf({ provider }).media
  const convert = videos[type]
  if (!convert) return unsupported('video', type, `Send ${videoTypes}.`)
  return {
    work: 'video',
    inputBytes: convert === 'always' ? mostBytes(provider, 'video', ceilings) : ceilings.video,
    convert,
  }
}

/** Says what is wrong with a sticker whose header was read; null when nothing is. */
export function judgeSticker(
  sizeBytes: number,
  widthPixels: number,
  heightPixels: number,
  isAnimated: boolean,
): MessageFailure | null {
  if (widthPixels !== STICKER_PIXELS || heightPixels !== STICKER_PIXELS) {
    return stickerFault(
      `A sticker must measure ${STICKER_PIXELS}x${STICKER_PIXELS} pixels; the file measures ${widthPixels}x${heightPixels}.`,
    )
  }
  return !isAnimated && sizeBytes > STICKER_BYTES
    ? stickerFault(sizeText('The static sticker', sizeBytes, STICKER_BYTES))
    : null
}

/**
 * Makes the failure of a sticker, which has one code on both kinds of number ([media.sending.7], [media.sending.8]).
 */
function stickerFault(reason: string): MessageFailure {
  return { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', message: reason, details: reason, upstreamCode: UPLOAD_ERROR }
}

/**
 * Makes the failure of a file over its ceiling.
 *
 * @param sizeBytes measured or announced; null when the transfer was stopped at the ceiling
 */
export function tooLarge(
  provider: ProviderKind,
  kind: MediaKind,
  sizeBytes: number | null,
  ceilingBytes: number,
): MessageFailure {
  const reason = sizeText(`The ${kind}`, sizeBytes, ceilingBytes)
  if (kind === 'sticker') return stickerFault(reason)
  return {
    code: kindOf({ provider }).media.tooLargeCode,
    message: reason,
    details: reason,
    upstreamCode: null,
  }
}

function sizeText(what: string, sizeBytes: number | null, ceilingBytes: number): string {
  const measured =
    sizeBytes === null
      ? `measures more than ${ceilingBytes} bytes`
      : `measures ${sizeBytes} bytes (${megabytes(sizeBytes)})`
  return `${what} ${measured}; at most ${ceilingBytes} bytes (${megabytes(ceilingBytes)}) can be sent.`
}

function megabytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${(bytes / 1_048_576).toFixed(2)} MB` : `${(bytes / 1_024).toFixed(2)} KB`
}

function unsupported(kind: MediaKind, type: FileType, advice: string): MessageFailure {
  return {
    code: 'MEDIA_UNSUPPORTED',
    message: `The file is ${type}, which cannot be sent as ${kind}. ${advice}`,
    details: `found ${type}`,
    upstreamCode: null,
  }
}

/** How a child's work on a file can fail. */
export type WorkFault = MediaFault | 'timeout' | 'memory' | 'crashed'

const FAULTS: Readonly<Record<WorkFault, string>> = {
  unreadable: 'The file is damaged, or of another type than its first bytes say.',
  'too-long': 'The file plays for too long: at most 60 minutes of audio or 30 minutes of video can be sent.',
  dimensions: 'The picture has too many pixels: at most 16384 a side and 50 million in all, 33 million in a video.',
  'no-audio': 'The file holds no audio that can be decoded.',
  'no-video': 'The file holds no video that can be decoded.',
  'has-video': 'The file is a video. Send it as video.',
  ...WAVE_FAULTS,
  timeout: 'The file took too long to check or convert.',
  memory: 'The file took too much memory to check or convert.',
  crashed: 'The file could not be checked or converted.',
}

/** Makes the failure of a file that a child could not use. */
export function workFailure(kind: MediaKind, fault: WorkFault): MessageFailure {
  const reason = FAULTS[fault]
  return kind === 'sticker'
    ? stickerFault(reason)
    : { code: 'MEDIA_UNSUPPORTED', message: reason, details: fault, upstreamCode: null }
}

/** The failure of a file without bytes. */
export const EMPTY: MessageFailure = {
  code: 'MEDIA_UNSUPPORTED',
  message: 'The file is empty.',
  details: 'found no bytes',
  upstreamCode: null,
}

/** Makes the failure of a file that could not be fetched. */
export function downloadFailure(reason: string): MessageFailure {
  return { code: 'MEDIA_DOWNLOAD_FAILED', message: reason, details: null, upstreamCode: null }
}

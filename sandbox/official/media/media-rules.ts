import { plainType } from '../../media/fetch-media.ts'
import { isRgbPicture } from './picture.ts'
import { readWebp } from './webp.ts'

export const MEDIA_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

const MB = 1024 * 1024
const KB = 1024
/** Upstream's ceilings of files, bytes. */
const CEILINGS: Readonly<Record<MediaType, number>> = {
  image: 5 * MB,
  audio: 16 * MB,
  video: 16 * MB,
  document: 100 * MB,
  sticker: 500 * KB,
}
const STATIC_STICKER_BYTES = 100 * KB
const STICKER_PIXELS = 512

const IMAGES = ['image/jpeg', 'image/png']
const AUDIOS = ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg', 'audio/opus']
const VIDEOS = ['video/mp4', 'video/3gpp']
const STICKERS = ['image/webp']
const DOCUMENTS = [
  'text/plain',
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]
/** Types that an upload may have, in the order upstream lists them. */
export const UPLOAD_TYPES: readonly string[] = [...AUDIOS, ...VIDEOS, ...IMAGES, ...STICKERS, ...DOCUMENTS]

const TYPES: Readonly<Record<MediaType, readonly string[] | null>> = {
  image: IMAGES,
  audio: AUDIOS,
  video: VIDEOS,
  sticker: STICKERS,
  // Documents: any valid type.
  document: null,
}

export interface MediaFacts {
  readonly mimeType: string
  readonly sizeBytes: number
  /** Null when the bytes are no longer kept: then the file was valid when it came. */
  readonly bytes: Buffer | null
}

function faultOfSticker({ sizeBytes, bytes }: MediaFacts): string | null {
  const info = bytes && readWebp(bytes)
  if (!bytes) return null
  if (!info) return 'The sticker is no WebP image'
  if (info.width !== STICKER_PIXELS || info.height !== STICKER_PIXELS)
    return `Stickers have to be ${STICKER_PIXELS} x ${STICKER_PIXELS} pixels, this one is ${info.width} x ${info.height}`
  return !info.isAnimated && sizeBytes > STATIC_STICKER_BYTES
    ? `Static stickers have to be below ${STATIC_STICKER_BYTES} bytes`
    : null
}

/** The type of message that a file of this content type is by default. */
function mediaTypeOf(mimeType: string): MediaType {
  const plain = plainType(mimeType)
  return MEDIA_TYPES.find((type) => TYPES[type]?.includes(plain)) ?? 'document'
}

/** Bytes that a file of this content type may have. */
export function ceilingOf(mimeType: string): number {
  return CEILINGS[mediaTypeOf(mimeType)]
}

/** Why a message of this type cannot have this file; null when it can. It shows as a failed status (131053). */
export function faultOfMedia(type: MediaType, facts: MediaFacts): string | null {
  const [types, ceiling] = [TYPES[type], CEILINGS[type]]
  if (types && !types.includes(plainType(facts.mimeType)))
    return `Unsupported ${type} mime type ${facts.mimeType}. Please use one of ${types.join(', ')}`
  if (facts.sizeBytes === 0) return 'The media is empty'
  if (facts.sizeBytes > ceiling) return `The ${type} is ${facts.sizeBytes} bytes, over the limit of ${ceiling} bytes`
  if (type === 'sticker') return faultOfSticker(facts)
  const isRgb = type === 'image' && facts.bytes !== null && facts.bytes.length > 2 ? isRgbPicture(facts.bytes) : null
  return isRgb === false ? 'The image is not 8-bit RGB or RGBA' : null
}

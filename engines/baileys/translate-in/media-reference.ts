import type { proto } from 'baileys'

/** What keys of a media are derived for: the network's own names. */
const MEDIA_CLASSES = ['image', 'video', 'audio', 'document', 'sticker', 'ptt'] as const
export type MediaClass = (typeof MEDIA_CLASSES)[number]

/**
 * Where a received media lies and how it is opened. Plain JSON (bytes as base64), so that it can wait in the store.
 * `mediaKey` is a secret.
 */
export interface MediaReference {
  readonly mediaClass: MediaClass
  readonly mimeType: string
  readonly fileName: string | null
  /** Bytes, as the writer said; null when he did not. */
  readonly size: number | null
  readonly directPath: string | null
  readonly url: string | null
  /** Null: plain bytes, as posts of channels have them. */
  readonly mediaKey: string | null
  /** SHA-256 of the plain bytes. */
  readonly sha256: string | null
}

/** What all five kinds of media have in common. */
type MediaFields = Pick<
  proto.Message.IDocumentMessage & proto.Message.IImageMessage,
  'url' | 'directPath' | 'mimetype' | 'fileLength' | 'mediaKey' | 'fileSha256'
>

/** Our choice, what the network itself takes where a writer names no type. */
const DEFAULT_TYPES: Readonly<Record<MediaClass, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  ptt: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

/** Describes a media of a message; null when it lies nowhere. */
export function mediaReference(
  mediaClass: MediaClass,
  fields: MediaFields,
  fileName: string | null = null,
): MediaReference | null {
  if (!fields.directPath && !fields.url) return null
  return {
    mediaClass,
    mimeType: fields.mimetype || DEFAULT_TYPES[mediaClass],
    fileName,
    size: sizeOf(fields.fileLength),
    directPath: fields.directPath || null,
    url: fields.url || null,
    mediaKey: textOf(fields.mediaKey),
    sha256: textOf(fields.fileSha256),
  }
}

function sizeOf(length: MediaFields['fileLength']): number | null {
  const size = Number(length ?? Number.NaN)
  return Number.isSafeInteger(size) && size >= 0 ? size : null
}

function textOf(bytes: Uint8Array | null | undefined): string | null {
  return bytes && bytes.length > 0 ? Buffer.from(bytes).toString('base64') : null
}

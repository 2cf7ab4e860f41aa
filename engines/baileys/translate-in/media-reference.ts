import type { proto } from 'baileys'

/** The network's names of the purposes that media keys are derived for. */
const MEDIA_CLASSES = ['image', 'video', 'audio', 'document', 'sticker', 'ptt'] as const
export type MediaClass = (typeof MEDIA_CLASSES)[number]

/**
 * Where received media are, and how they are opened. It is plain JSON (bytes as base64), so that it can wait in the
 * store. `mediaKey` is a secret.
 */
export interface MediaReference {
  readonly mediaClass: MediaClass
  readonly mimeType: string
  readonly fileName: string | null
  /** Size in bytes as the writer gave it; null without one. */
  readonly size: number | null
  readonly directPath: string | null
  readonly url: string | null
  /** Null for plain bytes, as in posts of channels. */
  readonly mediaKey: string | null
  /** SHA-256 of the plain bytes. */
  readonly sha256: string | null
}

/** The fields that all five kinds of media share. */
type MediaFields = Pick<
  proto.Message.IDocumentMessage & proto.Message.IImageMessage,
  'url' | 'directPath' | 'mimetype' | 'fileLength' | 'mediaKey' | 'fileSha256'
>

/** Our choice: the types that the network assumes when a writer names none. */
const DEFAULT_TYPES: Readonly<Record<MediaClass, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  ptt: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

/** Describes the media of a message; null when the message does not say where they are. */
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

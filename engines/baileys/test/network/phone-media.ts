/** Media messages as a phone writes them. */
import type { proto } from 'baileys'
import { sealMedia } from './media-cipher.ts'
import type { MediaStore } from './media-store.ts'

export type OutgoingMedia = {
  /** `voice` is a voice note, `audio` a file of sound. */
  kind: 'image' | 'video' | 'voice' | 'audio' | 'document' | 'sticker'
  bytes: Buffer
  mimetype: string
  caption?: string
  fileName?: string
  seconds?: number
}

const TYPES = {
  image: 'image',
  video: 'video',
  voice: 'ptt',
  audio: 'audio',
  document: 'document',
  sticker: 'sticker',
} as const
const FIELDS = {
  image: 'imageMessage',
  video: 'videoMessage',
  voice: 'audioMessage',
  audio: 'audioMessage',
  document: 'documentMessage',
  sticker: 'stickerMessage',
} as const

/** Encrypts and stores the media, and gives the message that points at it. */
export async function mediaMessage(
  store: MediaStore,
  { kind, bytes, mimetype, caption, fileName, seconds }: OutgoingMedia,
): Promise<proto.IMessage> {
  const reference = await sealMedia(store, TYPES[kind], bytes)
  const voice = kind === 'voice' ? { ptt: true } : {}
  const described = {
    ...(caption ? { caption } : {}),
    ...(fileName ? { fileName } : {}),
    ...(seconds ? { seconds } : {}),
  }
  return { [FIELDS[kind]]: { ...reference, mimetype, ...voice, ...described } }
}

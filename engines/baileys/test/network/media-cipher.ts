/** Encrypted media: AES-256-CBC with ten bytes of HMAC-SHA-256 at the end; the message has digests of both forms. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { getMediaKeys, hmacSign, type MediaType, type proto, sha256 } from 'baileys'
import type { MediaStore } from './media-store.ts'

/** How many bytes of the HMAC are kept. */
const MAC_BYTES = 10

/** The reference to media in a message, for any type of media. */
export type MediaReference = {
  url: string
  directPath: string
  mediaKey: Uint8Array
  fileSha256: Uint8Array
  fileEncSha256: Uint8Array
  fileLength: number
  mediaKeyTimestamp: number
}

/** Encrypts media and stores it at the media host. */
export async function sealMedia(store: MediaStore, type: MediaType, bytes: Buffer): Promise<MediaReference> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  const mac = hmacSign(Buffer.concat([iv, encrypted]), macKey ?? Buffer.alloc(0)).subarray(0, MAC_BYTES)
  const whole = Buffer.concat([encrypted, mac])
  return {
    ...store.put(whole),
    mediaKey,
    fileSha256: sha256(bytes),
    fileEncSha256: sha256(whole),
    fileLength: bytes.length,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
}

type Described = {
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  fileEncSha256?: Uint8Array | null
}

function describedIn(message: proto.IMessage): { type: MediaType; media: Described } {
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage) return { type: 'image', media: imageMessage }
  if (videoMessage) return { type: 'video', media: videoMessage }
  if (audioMessage) return { type: audioMessage.ptt ? 'ptt' : 'audio', media: audioMessage }
  if (stickerMessage) return { type: 'sticker', media: stickerMessage }
  const inner = message.documentWithCaptionMessage?.message?.documentMessage ?? documentMessage
  if (!inner) throw new Error('the message holds no media')
  return { type: 'document', media: inner }
}

/** Gives the bytes of a message's media as the receiver sees them. Throws when a digest or the HMAC is wrong. */
export async function openMedia(store: MediaStore, message: proto.IMessage): Promise<Buffer> {
  const { type, media } = describedIn(message)
  const whole = store.get(media.directPath ?? '')
  if (!whole || !media.mediaKey) throw new Error('the media is not there')
  if (!sha256(whole).equals(media.fileEncSha256 ?? Buffer.alloc(0)))
    throw new Error('the encrypted media differs from its digest')
  const { iv, cipherKey, macKey } = await getMediaKeys(media.mediaKey, type)
  const encrypted = whole.subarray(0, -MAC_BYTES)
  const mac = hmacSign(Buffer.concat([iv, encrypted]), macKey ?? Buffer.alloc(0)).subarray(0, MAC_BYTES)
  if (!mac.equals(whole.subarray(-MAC_BYTES))) throw new Error('the authentication of the media is wrong')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const bytes = Buffer.concat([decipher.update(encrypted), decipher.final()])
  if (!sha256(bytes).equals(media.fileSha256 ?? Buffer.alloc(0))) throw new Error('the media differs from its digest')
  return bytes
}

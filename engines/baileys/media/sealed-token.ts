import type { Seal } from '../store/seal.ts'
import type { MediaReference } from '../translate-in/media-reference.ts'

/** What it takes to serve a received media. */
export type ServedReference = Omit<MediaReference, 'mimeType' | 'fileName'>

/** Received media that somebody may fetch. */
export interface OfferedMedia {
  readonly reference: ServedReference
  /** The number that received them, whose session knows the hosts of the network. */
  readonly numberId: string
  /** True when whoever fetches them must show the bearer of the bridge. */
  readonly needsBearer: boolean
}

/** Ms since the epoch in 6 bytes last until the year 10889. */
const EXPIRY_BYTES = 6

/**
 * Seals media and the end of their offer, in ms since the epoch, into a token: whoever has the same key serves them,
 * and nobody else can read or make one. Each end has a key of its own, so it cannot be changed either.
 */
export function sealToken(seal: Seal, media: OfferedMedia, expiresAt: number): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeUIntBE(expiresAt, 0, EXPIRY_BYTES)
  const plain = Buffer.from(JSON.stringify({ ...media, reference: shortened(media.reference) }))
  return Buffer.concat([expiry, seal.seal(contextOf(expiresAt), plain)]).toString('base64url')
}

/** Opens a token; null when it was not sealed with this key, or is spelled in another way. */
export function openToken(
  seal: Seal,
  token: string,
): { readonly media: OfferedMedia; readonly expiresAt: number } | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= EXPIRY_BYTES || bytes.toString('base64url') !== token) return null
  const expiresAt = bytes.readUIntBE(0, EXPIRY_BYTES)
  try {
    const plain = seal.open(contextOf(expiresAt), bytes.subarray(EXPIRY_BYTES))
    return { media: JSON.parse(plain.toString()) as OfferedMedia, expiresAt }
  } catch {
    return null
  }
}

function contextOf(expiresAt: number): readonly string[] {
  return ['media', String(expiresAt)]
}

/** Leaves out what is not needed to serve: beside a path only the host of the address counts. */
function shortened({ mediaClass, size, directPath, url, mediaKey, sha256 }: ServedReference): ServedReference {
  const host = directPath?.startsWith('/') && url !== null && URL.canParse(url) ? `${new URL(url).origin}/` : url
  return { mediaClass, size, directPath, url: host, mediaKey, sha256 }
}

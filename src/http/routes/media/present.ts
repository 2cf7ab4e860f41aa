interface ReadMedia {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly fileName: string | null
}

/** A downloaded media (spec: Media download). A data URI has no spaces (RFC 2397). */
export function presentMedia(mediaId: string, { bytes, mimeType, fileName }: ReadMedia) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return { base64: `data:${mimeType.replaceAll(/\s/g, '')};base64,${text}`, mimeType, fileName, mediaId }
}

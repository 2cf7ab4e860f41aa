/** Facts that stickers are checked by. */
export interface WebpInfo {
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** Reads size and kind of a WebP file from its first chunk (RFC 9649, 2.5 to 2.7); null when it is none. */
export function readWebp(bytes: Buffer): WebpInfo | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X')
    return {
      width: bytes.readUIntLE(24, 3) + 1,
      height: bytes.readUIntLE(27, 3) + 1,
      isAnimated: (bytes.readUInt8(20) & 2) !== 0,
    }
  if (chunk === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, isAnimated: false }
  if (chunk !== 'VP8L') return null
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, isAnimated: false }
}

/**
 * True when a picture has colours that upstream accepts: 8 bits each of red, green and blue, with or without alpha.
 * Null when it is no picture.
 */
export function isRgbPicture(bytes: Buffer): boolean | null {
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && bytes.length >= 26)
    return bytes[24] === 8 && (bytes[25] === 2 || bytes[25] === 6)
  return bytes.readUInt16BE(0) === 0xffd8 ? isRgbJpeg(bytes) : null
}

/**
 * Reads precision and number of components from the frame (ISO 10918-1 B.2.2), which it finds segment by segment. Null
 * when there is no frame.
 */
function isRgbJpeg(bytes: Buffer): boolean | null {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    // The markers of DHT, JPG and DAC lie among those of frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return bytes[at + 4] === 8 && bytes[at + 9] === 3
  }
  return null
}

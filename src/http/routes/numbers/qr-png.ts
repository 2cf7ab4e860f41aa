import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** our choice: pixels of a module. The code can be scanned at arm's length, and has about 2 KB. */
const MODULE_PIXELS = 8
/** ISO 18004: the quiet zone is four modules. */
const QUIET_MODULES = 4

/** Draws a text as a QR code: a PNG data URI, the form of `qrcodeBase64` ([numbers.routes.5]). */
export function qrDataUri(text: string): string {
  const { data } = encode(text, { ecc: 'M', border: QUIET_MODULES })
  return `data:image/png;base64,${png(data).toString('base64')}`
}

/** PNG (RFC 2083) in 1-bit greyscale: 1 is white. */
function png(dark: readonly (readonly boolean[])[]): Buffer {
  const side = dark.length * MODULE_PIXELS
  const rows = dark.flatMap((row) => Array.from({ length: MODULE_PIXELS }, () => scanline(row)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** One row of pixels: a module is exactly one byte wide, as it has 8 pixels; the first byte is filter 0. */
function scanline(row: readonly boolean[]): Buffer {
  return Buffer.from([0, ...row.map((isDark) => (isDark ? 0x00 : 0xff))])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

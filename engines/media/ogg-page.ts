/** Pages of an Ogg stream (RFC 3533 section 6), for the code that reads streams and the code that writes them. */

const CAPTURE = Buffer.from('OggS')
/** Bytes before the segment table; the last of them is the number of segments. */
const HEADER_BYTES = 27
const SERIAL_AT = 14
const CHECKSUM_AT = 22
const CONTINUED = 1
const FIRST = 2
const LAST = 4
/** A packet continues after a segment of this length. */
const FULL_SEGMENT = 255
/** RFC 3533 section 6: the generator polynomial of the checksum, which starts at 0 and reflects nothing. */
const POLYNOMIAL = 0x04c1_1db7

export interface OggPage {
  /** The whole page, header and content. */
  readonly bytes: Buffer
  readonly content: Buffer
  /** The serial number of the logical stream. */
  readonly serial: number
  /** The number of the page in its stream. */
  readonly sequence: number
  /** The position at the end of the page, in units of the codec; -1 when no packet ends on the page. */
  readonly granule: bigint
  /** Whether the page is the first of its stream, or the last. */
  readonly isFirst: boolean
  readonly isLast: boolean
  /** The number of packets that end on the page. */
  readonly packets: number
  /** Whether the page begins or ends within a packet. */
  readonly hasPart: boolean
}

/**
 * The page that `bytes` begin with, checksum verified; the least number of further bytes needed to tell; or null when
 * there is no page.
 */
export function readPage(bytes: Buffer): OggPage | { readonly missing: number } | null {
  const known = Math.min(bytes.length, CAPTURE.length)
  if (bytes.compare(CAPTURE, 0, known, 0, known) !== 0) return null
  if (bytes.length < HEADER_BYTES) return { missing: HEADER_BYTES - bytes.length }
  const contentAt = HEADER_BYTES + bytes.readUInt8(HEADER_BYTES - 1)
  if (bytes.length < contentAt) return { missing: contentAt - bytes.length }
  const segments = bytes.subarray(HEADER_BYTES, contentAt)
  const end = segments.reduce((sum, size) => sum + size, contentAt)
  if (bytes.length < end) return { missing: end - bytes.length }
  const page = bytes.subarray(0, end)
  if (bytes.readUInt8(4) !== 0 || bytes.readUInt32LE(CHECKSUM_AT) !== pageChecksum(page)) return null
  const flags = bytes.readUInt8(5)
  return {
    bytes: page,
    content: page.subarray(contentAt),
    serial: bytes.readUInt32LE(SERIAL_AT),
    sequence: bytes.readUInt32LE(18),
    granule: bytes.readBigInt64LE(6),
    isFirst: (flags & FIRST) !== 0,
    isLast: (flags & LAST) !== 0,
    packets: segments.reduce((count, size) => (size < FULL_SEGMENT ? count + 1 : count), 0),
    hasPart: (flags & CONTINUED) !== 0 || segments.at(-1) === FULL_SEGMENT,
  }
}

/** The complete pages of a file, in order. Throws at bytes that are no page, and when the file ends within a page. */
export async function* pagesOf(source: AsyncIterable<Buffer>): AsyncGenerator<OggPage> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length > 0) {
      const page = readPage(rest)
      if (page === null) throw new NoPage()
      if ('missing' in page) break
      yield page
      rest = rest.subarray(page.bytes.length)
    }
  }
  if (rest.length > 0) throw new NoPage()
}

class NoPage extends Error {}

/** Moves a page to another stream by overwriting its serial number. The checksum is not updated. */
export function setSerial(page: OggPage, serial: number): void {
  page.bytes.writeUInt32LE(serial, SERIAL_AT)
}

/** The checksum that a page should carry; the value in its checksum field is ignored. */
export function pageChecksum(page: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= CHECKSUM_AT && at < CHECKSUM_AT + 4 ? 0 : (page[at] ?? 0)
    sum = (sum << 8) ^ (CHECKSUMS[(sum >>> 24) ^ byte] ?? 0)
  }
  return sum >>> 0
}

/** The checksum of each single byte. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? POLYNOMIAL : 0)
  return sum
})

/** Pages of an Ogg stream (RFC 3533 section 6): what takes a stream apart and what writes one share this. */

const CAPTURE = Buffer.from('OggS')
/** Up to the table of segments, which says in its last byte how long it is. */
const HEADER_BYTES = 27
const SERIAL_AT = 14
const CHECKSUM_AT = 22
const CONTINUED = 1
const FIRST = 2
const LAST = 4
/** A segment this long goes on in the next one. */
const FULL_SEGMENT = 255
/** RFC 3533 section 6: the generator polynomial of its checksum, which starts at 0 and reflects nothing. */
const POLYNOMIAL = 0x04c1_1db7

export interface OggPage {
  /** All of it, header and content. */
  readonly bytes: Buffer
  readonly content: Buffer
  /** Of the logical stream. */
  readonly serial: number
  /** Count of the page in its stream. */
  readonly sequence: number
  /** Position at its end, which the codec counts in its own units. -1 where no packet ends on it. */
  readonly granule: bigint
  /** Begins, or ends, its stream. */
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Packets that end on it. */
  readonly packets: number
  /** It begins, or ends, in the middle of a packet. */
  readonly hasPart: boolean
}

/**
 * The page that `bytes` begin with, whose checksum is right; how many bytes more it takes to tell, at least; or null
 * where there is none.
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

/**
 * The whole pages of a file, one after another. Throws at what is no page, and at the end of a file that ends within
 * one.
 */
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

/** Gives a page to another stream, in place. Its checksum is that of before. */
export function setSerial(page: OggPage, serial: number): void {
  page.bytes.writeUInt32LE(serial, SERIAL_AT)
}

/** The checksum a whole page should carry, whatever stands in its place now. */
export function pageChecksum(page: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= CHECKSUM_AT && at < CHECKSUM_AT + 4 ? 0 : (page[at] ?? 0)
    sum = (sum << 8) ^ (CHECKSUMS[(sum >>> 24) ^ byte] ?? 0)
  }
  return sum >>> 0
}

/** Of each byte alone. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? POLYNOMIAL : 0)
  return sum
})

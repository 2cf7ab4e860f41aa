/** Ogg pages of a recording, as bytes (RFC 3533 section 6, RFC 7845). */

/** Samples of 20 ms at 48 kHz, which every packet here lasts. */
const PACKET_SAMPLES = 960
/** The delay that libopus' encoder has, in samples at 48 kHz: 6.5 ms (RFC 7845 section 4.2). */
export const PRE_SKIP = 312
/** Most segments of a page (RFC 3533 section 6). */
const MAX_SEGMENTS = 255
const FULL_SEGMENT = 255
const HEADER_BYTES = 27
const CHECKSUM_AT = 22
const FIRST = 2
const LAST = 4

/** The packets of one logical stream into pages. A packet never spans pages. */
export class OggWriter {
  readonly #serial: number
  #sequence = 0
  #packets: Uint8Array[] = []
  #segments = 0
  #samples = 0

  constructor(serial: number) {
    this.#serial = serial
  }

  /** Packets since the last page. */
  get waiting(): number {
    return this.#packets.length
  }

  /** Ms of all packets that were added. */
  get lengthMs(): number {
    return this.#samples / 48
  }

  /** The two pages that come before all others. */
  headers(): Buffer {
    return Buffer.concat([this.#page([opusHead()], 0, FIRST), this.#page([opusTags()], 0, 0)])
  }

  /** Adds a packet; gives the page before it when the packet finds no room on that. */
  add(packet: Uint8Array): Buffer | null {
    const segments = Math.floor(packet.length / FULL_SEGMENT) + 1
    const full = this.#segments + segments > MAX_SEGMENTS ? this.page(false) : null
    this.#packets.push(packet)
    this.#segments += segments
    this.#samples += PACKET_SAMPLES
    return full
  }

  /**
   * The page of the packets that wait, which is the last of its stream or not. Its position counts the samples before
   * its end, with those to skip at the start.
   */
  page(isLast: boolean): Buffer {
    const page = this.#page(this.#packets, this.#samples, isLast ? LAST : 0)
    this.#packets = []
    this.#segments = 0
    return page
  }

  #page(packets: readonly Uint8Array[], position: number, flags: number): Buffer {
    const segments = packets.flatMap(({ length }) => [
      ...Array<number>(Math.floor(length / FULL_SEGMENT)).fill(FULL_SEGMENT),
      length % FULL_SEGMENT,
    ])
    const head = Buffer.alloc(HEADER_BYTES)
    head.write('OggS')
    head.writeUInt8(flags, 5)
    head.writeBigInt64LE(BigInt(position), 6)
    head.writeUInt32LE(this.#serial, 14)
    head.writeUInt32LE(this.#sequence++, 18)
    head.writeUInt8(segments.length, HEADER_BYTES - 1)
    const page = Buffer.concat([head, Uint8Array.from(segments), ...packets])
    page.writeUInt32LE(checksum(page), CHECKSUM_AT)
    return page
  }
}

/** A page as its header describes it. */
export interface FoundPage {
  /** Where the next page begins. */
  readonly end: number
  /** In samples at 48 kHz. */
  readonly position: number
  readonly isLast: boolean
}

/** The page that begins at `at`; null when there is none, it is cut off, or its checksum is wrong. */
export function pageAt(bytes: Buffer, at: number): FoundPage | null {
  if (bytes.length < at + HEADER_BYTES || bytes.toString('latin1', at, at + 4) !== 'OggS') return null
  const bodyAt = at + HEADER_BYTES + bytes.readUInt8(at + HEADER_BYTES - 1)
  if (bytes.length < bodyAt) return null
  const end = bytes.subarray(at + HEADER_BYTES, bodyAt).reduce((sum, size) => sum + size, bodyAt)
  if (bytes.length < end) return null
  const page = Buffer.from(bytes.subarray(at, end))
  const stated = page.readUInt32LE(CHECKSUM_AT)
  page.writeUInt32LE(0, CHECKSUM_AT)
  if (checksum(page) !== stated) return null
  return { end, position: Number(page.readBigInt64LE(6)), isLast: (page.readUInt8(5) & LAST) !== 0 }
}

/**
 * Channel mapping family 1 with two uncoupled streams (RFC 7845 section 5.1.1.2): left is the first, right the second.
 */
function opusHead(): Uint8Array {
  const head = Buffer.alloc(23)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(2, 9)
  head.writeUInt16LE(PRE_SKIP, 10)
  head.writeUInt32LE(48_000, 12)
  head.set([1, 2, 0, 0, 1], 18)
  return head
}

function opusTags(): Uint8Array {
  const vendor = 'channel messaging service'
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4)
  tags.write('OpusTags')
  tags.writeUInt32LE(vendor.length, 8)
  tags.write(vendor, 12)
  return tags
}

/** The checksum of each single byte, by RFC 3533's polynomial, which is not reflected. */
const OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ ((sum >>> 31) * 0x04c1_1db7)
  return sum
})

function checksum(page: Uint8Array): number {
  let sum = 0
  for (const byte of page) sum = (sum << 8) ^ (OF_BYTE[(sum >>> 24) ^ byte] ?? 0)
  return sum >>> 0
}

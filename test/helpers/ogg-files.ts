/** Ogg files of Opus (RFC 3533, RFC 7845), written in ways that are legal and in ways that are not. */
import { createRequire } from 'node:module'
import type { Encoder } from '@evan/opus'

/** The wasm version, because the native one ends the process when a thread that used it ends. */
const { Encoder: WasmEncoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  readonly Encoder: typeof Encoder
}

const RATE_HZ = 48_000
/** opus_defines.h */
const SET_BITRATE = 4_002
const AMPLITUDE = 8_000
/** The delay that encoders state, in samples: 6.5 ms (RFC 7845 section 4.2). */
const PRE_SKIP = 312
const FULL_PAGE_BYTES = 255 * 255

export interface OpusTone {
  readonly hz: number
  readonly seconds: number
  readonly packetMs?: number
  readonly channels?: 1 | 2
  /** Bits per second. Default 32,000. */
  readonly bitrate?: number
  /** `voip` has SILK frames at low rates. Default `audio`. */
  readonly application?: 'audio' | 'voip'
}

/** Opus packets of a sine. */
export function opusTone({
  hz,
  seconds,
  packetMs = 20,
  channels = 1,
  bitrate = 32_000,
  application = 'audio',
}: OpusTone): Uint8Array[] {
  const encoder = new WasmEncoder({ channels, sample_rate: RATE_HZ, application })
  encoder.bitrate = bitrate
  if (application === 'voip') encoder.ctl(SET_BITRATE, bitrate)
  const samples = (RATE_HZ / 1_000) * packetMs
  return Array.from({ length: (seconds * 1_000) / packetMs }, (_, packet) =>
    encoder.encode(
      Int16Array.from({ length: samples * channels }, (_, at) => {
        return Math.round(
          AMPLITUDE * Math.sin((2 * Math.PI * hz * (packet * samples + Math.floor(at / channels))) / RATE_HZ),
        )
      }),
    ),
  )
}

export interface OggPageParts {
  readonly packets: readonly Uint8Array[]
  readonly granule: bigint
  readonly sequence: number
  readonly serial?: number
  /** Header flags (RFC 3533 section 6): 1 continued, 2 first, 4 last. */
  readonly flags?: number
  /** Whether the last packet continues on the next page; its length is then a multiple of 255. */
  readonly isOpen?: boolean
}

export function oggPage({ packets, granule, sequence, serial = 7, flags = 0, isOpen = false }: OggPageParts): Buffer {
  const sizes = packets.flatMap(({ length }, index) => {
    const full = Array<number>(Math.floor(length / 255)).fill(255)
    return isOpen && index === packets.length - 1 ? full : [...full, length % 255]
  })
  const header = Buffer.alloc(27)
  header.write('OggS')
  header.writeUInt8(flags, 5)
  header.writeBigInt64LE(granule, 6)
  header.writeUInt32LE(serial, 14)
  header.writeUInt32LE(sequence, 18)
  header.writeUInt8(sizes.length, 26)
  return sealed(Buffer.concat([header, Buffer.from(sizes), ...packets]))
}

/** The page with its right checksum (RFC 3533 section 6), computed bit by bit. */
export function sealed(page: Buffer): Buffer {
  const out = Buffer.from(page)
  out.writeUInt32LE(0, 22)
  let sum = 0
  for (const byte of out) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c1_1db7 : 0)
  }
  out.writeUInt32LE(sum >>> 0, 22)
  return out
}

export interface OggOptions {
  readonly preSkip?: number
  /** Channels that the header states. */
  readonly channels?: number
  readonly inputRateHz?: number
  /** Gain, in 256ths of a decibel. */
  readonly gain?: number
  readonly serial?: number
  /** Samples of a packet at 48 kHz, in which positions count. */
  readonly packetSamples?: number
  readonly packetsPerPage?: number
  /** Position at which the audio begins. */
  readonly startGranule?: number
  /** Samples trimmed at the end. */
  readonly trimmed?: number
  /** Whether the last page lacks its end flag. */
  readonly hasNoEnd?: boolean
  /** Comments in OpusTags. */
  readonly comments?: readonly string[]
  /** Added to the positions of the audio pages from this page on. */
  readonly gap?: { readonly fromPage: number; readonly samples: number }
}

export function oggOpus(packets: readonly Uint8Array[], options: OggOptions = {}): Buffer {
  return Buffer.concat(oggPages(packets, options))
}

/** The pages of an Ogg file, header pages first. */
export function oggPages(packets: readonly Uint8Array[], options: OggOptions = {}): Buffer[] {
  const {
    serial = 7,
    packetSamples = 960,
    packetsPerPage = 50,
    startGranule = 0,
    trimmed = 0,
    hasNoEnd = false,
    comments = [],
    gap,
  } = options
  const pages = [oggPage({ packets: [opusHead(options)], granule: 0n, sequence: 0, serial, flags: 2 })]
  const tags = opusTags(comments)
  for (let at = 0; at < tags.length; at += FULL_PAGE_BYTES) {
    const isOpen = at + FULL_PAGE_BYTES < tags.length
    pages.push(
      oggPage({
        packets: [tags.subarray(at, at + FULL_PAGE_BYTES)],
        granule: isOpen ? -1n : 0n,
        sequence: pages.length,
        serial,
        flags: at > 0 ? 1 : 0,
        isOpen,
      }),
    )
  }
  for (let at = 0; at < packets.length; at += packetsPerPage) {
    const some = packets.slice(at, at + packetsPerPage)
    const isLast = at + packetsPerPage >= packets.length
    const more = gap && at / packetsPerPage >= gap.fromPage ? gap.samples : 0
    const granule = BigInt(startGranule + (at + some.length) * packetSamples + more - (isLast ? trimmed : 0))
    pages.push(oggPage({ packets: some, granule, sequence: pages.length, serial, flags: isLast && !hasNoEnd ? 4 : 0 }))
  }
  return pages
}

function opusHead({ preSkip = PRE_SKIP, channels = 1, inputRateHz = RATE_HZ, gain = 0 }: OggOptions): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(channels, 9)
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(inputRateHz, 12)
  head.writeInt16LE(gain, 16)
  return head
}

function opusTags(comments: readonly string[]): Buffer {
  const counted = (text: string) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)])
  return Buffer.concat([Buffer.from('OpusTags'), counted('test'), u32(comments.length), ...comments.map(counted)])
}

/** A comment that holds a front cover picture (RFC 9639 section 8.8) of this many bytes. */
export function albumArt(bytes: number): string {
  const type = Buffer.from('image/png')
  const picture = Buffer.alloc(bytes, 0x5a)
  const block = Buffer.concat([
    be32(3),
    be32(type.length),
    type,
    be32(0),
    be32(1),
    be32(1),
    be32(24),
    be32(0),
    be32(bytes),
    picture,
  ])
  return `METADATA_BLOCK_PICTURE=${block.toString('base64')}`
}

function u32(value: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeUInt32LE(value)
  return out
}

function be32(value: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(value)
  return out
}

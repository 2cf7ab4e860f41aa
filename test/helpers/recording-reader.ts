/** Reads recordings of calls strictly, by RFC 3533, RFC 7845 and RFC 6716, apart from what writes them. */
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { OpusCodec } from '../../media-host/audio/opus.ts'
import { sealed } from './ogg-files.ts'

const PACKET_SAMPLES = 960
export const DECODED_HZ = 16_000

export interface ReadRecording {
  /** Packets of the left channel and the right one, one each 20 ms. */
  readonly left: readonly Uint8Array[]
  readonly right: readonly Uint8Array[]
  /** What a player plays of it: without the samples that its head has skipped. */
  readonly durationMs: number
  /** Packets of each audio page. */
  readonly pages: readonly number[]
  /** Whether the last page says that it is the last. */
  readonly isEnded: boolean
}

/** Takes a recording apart. Throws at anything that a strict player would refuse. */
export function readRecording(bytes: Buffer): ReadRecording {
  const pages = pagesIn(bytes)
  const [head, tags, ...audio] = pages
  if (!head || !tags) throw new Error('the headers are missing')
  const preSkip = readHead(head)
  if (tags.packets.length !== 1 || tags.packets[0]?.toString('latin1', 0, 8) !== 'OpusTags')
    throw new Error('the second page is not of OpusTags alone')
  if (tags.position !== 0n) throw new Error('a header page has a position')
  let samples = 0n
  for (const [at, page] of audio.entries()) {
    samples += BigInt(page.packets.length * PACKET_SAMPLES)
    if (page.position !== samples) throw new Error(`page ${at} is at ${page.position}, not ${samples}`)
    if (page.isLast && at < audio.length - 1) throw new Error('pages follow the last one')
  }
  const packets = audio.flatMap((page) => page.packets).map(split)
  return {
    left: packets.map(([left]) => left),
    right: packets.map(([, right]) => right),
    durationMs: (Number(samples) - preSkip) / 48,
    pages: audio.map((page) => page.packets.length),
    isEnded: audio.at(-1)?.isLast ?? false,
  }
}

/** The samples of a channel at DECODED_HZ, from the packet `from` to `to`. */
export async function decodeChannel(packets: readonly Uint8Array[], from = 0, to = packets.length) {
  const decoder = (await codec()).openDecoder(DECODED_HZ)
  // A decoder opens within one turn of the event loop.
  while (decoder.conceal(PACKET_SAMPLES).length === 0) await nextTurn()
  await nextTurn()
  const slot = (DECODED_HZ / 48_000) * PACKET_SAMPLES
  const samples = new Int16Array((to - from) * slot)
  for (const [at, packet] of packets.slice(from, to).entries())
    samples.set(packet.length > 1 ? decoder.decode(packet, PACKET_SAMPLES) : decoder.conceal(PACKET_SAMPLES), at * slot)
  decoder.close()
  return samples
}

let loaded: Promise<OpusCodec> | null = null

function codec(): Promise<OpusCodec> {
  return (loaded ??= loadOpus())
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

interface Page {
  readonly packets: readonly Buffer[]
  readonly position: bigint
  readonly isLast: boolean
}

function pagesIn(bytes: Buffer): Page[] {
  const pages: Page[] = []
  const serial = bytes.readUInt32LE(14)
  for (let at = 0; at < bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`no page at ${at}`)
    const segments = [...bytes.subarray(at + 27, at + 27 + bytes.readUInt8(at + 26))]
    const bodyAt = at + 27 + segments.length
    const end = bodyAt + segments.reduce((sum, size) => sum + size, 0)
    const page = bytes.subarray(at, end)
    if (end > bytes.length || !sealed(page).equals(page))
      throw new Error(`the checksum of page ${pages.length} is wrong`)
    const flags = page.readUInt8(5)
    if (page.readUInt8(4) !== 0 || page.readUInt32LE(14) !== serial) throw new Error('another stream, or version')
    if (page.readUInt32LE(18) !== pages.length) throw new Error('a page is missing')
    if ((flags & 1) !== 0 || ((flags & 2) !== 0) !== (pages.length === 0)) throw new Error('the flags are wrong')
    if (segments.at(-1) === 255) throw new Error('a packet spans pages')
    pages.push({
      packets: packetsIn(bytes, bodyAt, segments),
      position: page.readBigInt64LE(6),
      isLast: (flags & 4) !== 0,
    })
    at = end
  }
  return pages
}

function packetsIn(bytes: Buffer, bodyAt: number, segments: readonly number[]): Buffer[] {
  const packets: Buffer[] = []
  let from = bodyAt
  let length = 0
  for (const size of segments) {
    length += size
    if (size === 255) continue
    packets.push(bytes.subarray(from, from + length))
    from += length
    length = 0
  }
  return packets
}

/** RFC 7845 section 5.1: two channels of two streams, none of them coupled. */
function readHead({ packets, position }: Page): number {
  const [head] = packets
  const is =
    packets.length === 1
    && position === 0n
    && head?.length === 23
    && head.toString('latin1', 0, 8) === 'OpusHead'
    && head.readUInt8(8) === 1
    && head.readUInt8(9) === 2
    && head.readInt16LE(16) === 0
    && [...head.subarray(18)].join() === '1,2,0,0,1'
  if (!is || !head) throw new Error('OpusHead is not that of two mono streams')
  return head.readUInt16LE(10)
}

/** The two packets of one: the first states its length (RFC 6716 appendix B). */
function split(packet: Buffer): [left: Uint8Array, right: Uint8Array] {
  const toc = packet.readUInt8(0)
  const isMany = (toc & 3) === 3
  if (!isMany && (toc & 3) !== 0) throw new Error('frames of a left packet come in no form that is written')
  const count = isMany ? packet.readUInt8(1) & 0x3f : 1
  if (isMany && (packet.readUInt8(1) & 0xc0) !== 0x80) throw new Error('a left packet has padding, or one length')
  let at = isMany ? 2 : 1
  const lengths: number[] = []
  const lengthsAt: number[] = []
  while (lengths.length < count) {
    lengthsAt.push(at)
    const first = packet.readUInt8(at)
    lengths.push(first < 252 ? first : first + 4 * packet.readUInt8(at + 1))
    at += first < 252 ? 1 : 2
  }
  const end = at + lengths.reduce((sum, length) => sum + length, 0)
  if (end >= packet.length) throw new Error('a packet has no right side')
  const left = Buffer.concat([packet.subarray(0, lengthsAt.at(-1)), packet.subarray(at, end)])
  return [left, packet.subarray(end)]
}

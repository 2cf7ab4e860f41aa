/**
 * Reads Ogg files whose Opus packets can be played unchanged. `ogg-page.ts` is apart so that a writer of recordings
 * could use it too.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import prism from 'prism-media'
import { pagesOf, setSerial } from './ogg-page.ts'
import type { OggPage } from './ogg-page.ts'
import { readPacket } from './opus-packet.ts'

/** Samples of 20 ms at 48 kHz, the rate of Opus whatever its header names (RFC 7845 section 5.1). */
const PACKET_SAMPLES = 960
/**
 * Our choice, in bytes: every IPv6 path carries 1,280 (RFC 8200 section 5), of which 80 are left for the headers of
 * IPv6, UDP, RTP and SRTP. This allows 480 kb/s.
 */
const PACKET_BYTES = 1_200
/** The header pages: one of OpusHead, one of OpusTags (RFC 7845 section 3). */
const HEADER_PAGES = 2
/** The length of OpusHead with channel mapping family 0, in bytes (RFC 7845 section 5.1). */
const HEAD_BYTES = 19

/** What is known of a file after some of its pages. */
interface Survey {
  /** Pages of the current stream. */
  readonly pages: number
  readonly serial: number
  /** Audio packets of all streams so far, and the indexes of those that are trimmed away. */
  readonly packets: number
  readonly trimmed: readonly number[]
  /** The position at the end of the audio read so far; null before there is any. */
  readonly granule: bigint | null
  readonly isEnded: boolean
}

const NOTHING: Survey = { pages: 0, serial: 0, packets: 0, trimmed: [], granule: null, isEnded: false }

class NotPlain extends Error {}

/**
 * Splits an Ogg file into packets, if each can be played unchanged. The file must consist of Opus streams one after the
 * other, mono, without gain, with 20 ms packets that each lie on one page, without a gap, and with less than a packet
 * to skip at the start. A last packet that exceeds the end of the audio is kept whole, so up to 20 ms more are heard.
 *
 * @param path Path of an untrusted file.
 * @param maxPackets A file with more packets is `too-long`.
 * @returns The packets in file order; `other` when a decoder must read the file, for any reason. Never throws.
 */
export async function takeApart(
  path: string,
  maxPackets: number,
): Promise<readonly Uint8Array[] | 'too-long' | 'other'> {
  const packets: Uint8Array[] = []
  let survey = NOTHING
  const note = (page: OggPage): Survey => (survey = follow(survey, page))
  try {
    await pipeline(
      createReadStream(path),
      (source: AsyncIterable<Buffer>) => plainPages(source, note),
      new prism.opus.OggDemuxer(),
      async (source: AsyncIterable<Uint8Array>) => {
        for await (const packet of source) {
          if (!isPlain(packet) || packets.push(packet) > maxPackets) throw new NotPlain()
        }
      },
    )
  } catch {
    return packets.length > maxPackets ? 'too-long' : 'other'
  }
  // The demuxer skips packets that it takes for tags and keeps back those that it takes for incomplete, so the counts
  // are compared.
  const trimmed = new Set(survey.trimmed)
  return trimmed.size < packets.length && packets.length === survey.packets
    ? packets.filter((_, at) => !trimmed.has(at))
    : 'other'
}

/**
 * Yields pages one at a time, after `note` has seen each. They all get the serial number of the first stream, because
 * the demuxer drops pages of any other stream.
 */
async function* plainPages(source: AsyncIterable<Buffer>, note: (page: OggPage) => Survey): AsyncGenerator<Buffer> {
  let serial: number | null = null
  for await (const page of pagesOf(source)) {
    const { pages, packets } = note(page)
    serial ??= page.serial
    setSerial(page, serial)
    if (pages > HEADER_PAGES || packets === 0) yield page.bytes
  }
}

/** Adds a page to the survey. Throws when the page shows that its stream is not plain. */
function follow(before: Survey, page: OggPage): Survey {
  // A new stream of the chain begins (RFC 3533 section 4).
  const survey = before.isEnded ? { ...NOTHING, packets: before.packets, trimmed: before.trimmed } : before
  const isStart = survey.pages === 0
  const belongs =
    page.sequence === survey.pages && page.isFirst === isStart && (isStart || page.serial === survey.serial)
  // The demuxer waits forever for the rest of a packet that continues on the next page.
  if (!belongs || page.hasPart) throw new NotPlain()
  const next = { ...survey, pages: survey.pages + 1, serial: page.serial }
  if (survey.pages >= HEADER_PAGES) return { ...next, ...sound(survey, page) }
  const isHeader = isStart ? isPlainHead(page.content) : page.content.toString('latin1', 0, 8) === 'OpusTags'
  if (!isHeader || page.packets !== 1 || page.granule !== 0n || page.isLast) throw new NotPlain()
  return next
}

/**
 * Checks the positions of a page and counts its packets. Positions count samples (RFC 7845 section 4). They may start
 * at any value, must continue without a gap, and on the last page may say that less is to be heard (section 4.4).
 */
function sound(survey: Survey, page: OggPage): Pick<Survey, 'packets' | 'trimmed' | 'granule' | 'isEnded'> {
  const samples = BigInt(page.packets * PACKET_SAMPLES)
  const missing = page.granule - samples
  // When the first page is the last one too, missing samples mean that the end is trimmed.
  const start = survey.granule ?? (missing < 0n && page.isLast ? 0n : missing)
  const behind = start + samples - page.granule
  const isRight = page.isLast ? behind >= 0n && behind <= samples : behind === 0n && page.packets > 0
  if (start < 0n || !isRight) throw new NotPlain()
  const packets = survey.packets + page.packets
  const trimmed = Array.from(
    { length: Math.floor(Number(behind) / PACKET_SAMPLES) },
    (_, fromEnd) => packets - 1 - fromEnd,
  )
  return {
    packets,
    trimmed: trimmed.length > 0 ? [...survey.trimmed, ...trimmed] : survey.trimmed,
    granule: page.granule,
    isEnded: page.isLast,
  }
}

/**
 * Whether an OpusHead is plain: version, one channel, samples to skip, gain and mapping family (RFC 7845 section 5.1).
 */
function isPlainHead(head: Buffer): boolean {
  return (
    head.length === HEAD_BYTES
    && head.toString('latin1', 0, 8) === 'OpusHead'
    && head.readUInt8(8) >> 4 === 0
    && head.readUInt8(9) === 1
    && head.readUInt16LE(10) < PACKET_SAMPLES
    && head.readInt16LE(16) === 0
    && head.readUInt8(18) === 0
  )
}

function isPlain(packet: Uint8Array): boolean {
  const read = packet.length <= PACKET_BYTES ? readPacket(packet) : null
  return read?.samples === PACKET_SAMPLES && !read.isStereo
}

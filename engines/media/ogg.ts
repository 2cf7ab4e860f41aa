/**
 * Ogg files whose Opus packets can be played as they are. A way out for recordings would stand here too: `ogg-page.ts`
 * is for both.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import prism from 'prism-media'
import { pagesOf, setSerial } from './ogg-page.ts'
import type { OggPage } from './ogg-page.ts'
import { readPacket } from './opus-packet.ts'

/** 20 ms at 48 kHz, which Opus runs at whatever rate its header names (RFC 7845 section 5.1). */
const PACKET_SAMPLES = 960
/**
 * Our choice: what IPv6 carries everywhere (1,280 bytes, RFC 8200 section 5) without 80 for its headers and those of
 * UDP, RTP and SRTP. 480 kb/s.
 */
const PACKET_BYTES = 1_200
/** Pages of headers, one of OpusHead, one of OpusTags (RFC 7845 section 3). */
const HEADER_PAGES = 2
/** RFC 7845 section 5.1: with channel mapping family 0. */
const HEAD_BYTES = 19

/** What is known of a stream once some of its pages were read. */
interface Survey {
  /** Of the stream under way. */
  readonly pages: number
  readonly serial: number
  /** Of sound in all streams, and places of those that are trimmed away. */
  readonly packets: number
  readonly trimmed: readonly number[]
  /** Where the sound read so far ends; null before there is any. */
  readonly granule: bigint | null
  readonly isEnded: boolean
}

const NOTHING: Survey = { pages: 0, serial: 0, packets: 0, trimmed: [], granule: null, isEnded: false }

class NotPlain extends Error {}

/**
 * Takes an Ogg file apart, if each of its packets can be played as it is: Opus streams one behind the other, of one
 * channel, without gain, in packets of 20 ms that stand each on one page, without a gap, of which less than a packet is
 * to be skipped at the start. A packet that ends behind the end of the sound is whole, so less than 20 ms more is
 * heard.
 *
 * @param path Of a file that nobody vouches for.
 * @param maxPackets It is `too-long` with more.
 * @returns Packets as they stand in the file; `other` where a decoder must see to it, for whatever reason. Never
 * throws.
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
  // The demuxer passes over what it takes for tags, and holds back what it takes for incomplete.
  const trimmed = new Set(survey.trimmed)
  return trimmed.size < packets.length && packets.length === survey.packets
    ? packets.filter((_, at) => !trimmed.has(at))
    : 'other'
}

/**
 * Hands on pages, one at a time, once `note` has taken each. All are one stream to the demuxer, which would leave the
 * next ones out.
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

/** Throws where the page tells that its stream is not plain. */
function follow(before: Survey, page: OggPage): Survey {
  // The next stream of a chain (RFC 3533 section 4).
  const survey = before.isEnded ? { ...NOTHING, packets: before.packets, trimmed: before.trimmed } : before
  const isStart = survey.pages === 0
  const belongs =
    page.sequence === survey.pages && page.isFirst === isStart && (isStart || page.serial === survey.serial)
  // The demuxer waits for ever for the rest of a packet that goes on in the next page.
  if (!belongs || page.hasPart) throw new NotPlain()
  const next = { ...survey, pages: survey.pages + 1, serial: page.serial }
  if (survey.pages >= HEADER_PAGES) return { ...next, ...sound(survey, page) }
  const isHeader = isStart ? isPlainHead(page.content) : page.content.toString('latin1', 0, 8) === 'OpusTags'
  if (!isHeader || page.packets !== 1 || page.granule !== 0n || page.isLast) throw new NotPlain()
  return next
}

/**
 * Positions count samples (RFC 7845 section 4). They may start anywhere, go on without a gap, and on the last page may
 * say that less is to be heard (4.4).
 */
function sound(survey: Survey, page: OggPage): Pick<Survey, 'packets' | 'trimmed' | 'granule' | 'isEnded'> {
  const samples = BigInt(page.packets * PACKET_SAMPLES)
  const missing = page.granule - samples
  // Where the first page is the last one too, what it lacks is trimmed.
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

/** RFC 7845 section 5.1: version, one channel, how much is skipped at the start, gain, mapping family. */
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

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeApart } from '../../engines/media/ogg.ts'
import { readPacket } from '../../engines/media/opus-packet.ts'
import { straightenWave } from '../../engines/media/wave-file.ts'
import { hasFec, isDtx, opusPacketSamples } from '../../media-host/audio/opus-packet.ts'
import { isRtp, rtpHeader, writeRtpHeader } from '../../media-host/legs/rtp-header.ts'
import { oddWave } from '../helpers/odd-waves.ts'
import { oggOpus, opusTone, sealed } from '../helpers/ogg-files.ts'
import type { Target } from './target.ts'

const MOST_PACKETS = 1_000
const tone = opusTone({ hz: 440, seconds: 0.06 })
/** The longest packet, in samples at 48 kHz (RFC 6716 section 3.2.5). */
const MAX_SAMPLES = 5_760

/** Reads a file with these bytes, which is gone afterwards. */
async function withFile<T>(bytes: Buffer, read: (path: string, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-fuzz-'))
  try {
    const path = join(folder, 'file')
    writeFileSync(path, bytes)
    return await read(path, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rtpPacket(payloadType: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(12)
  writeRtpHeader(header, { marker: true, payloadType, sequence: 7, timestamp: 960, payload }, 0xab_cd)
  return Buffer.concat([header, payload])
}

const rtp: Target = {
  name: 'rtp',
  starts: [
    rtpPacket(111, Uint8Array.of(0x78, 1, 2, 3)),
    // A source, and an extension of one word.
    Buffer.from('b16f00070000000000000001000000020bede000110203040578', 'hex'),
    // A sender report.
    Buffer.from('80c80006000000010000000000000000000000000000000100000064', 'hex'),
  ],
  words: [],
  take(bytes) {
    if (!isRtp(bytes)) return 'no RTP'
    const header = rtpHeader(bytes, bytes.length)
    if (header === null) return 'does not fit'
    assert.ok(header.bytes >= 12 && header.bytes <= bytes.length, 'a header ends within its packet')
    const payload = bytes.subarray(header.bytes)
    return `${Math.min(8, header.bytes / 4)} ${header.isPadded} ${opusOf(payload)}`
  },
}

function opusOf(packet: Uint8Array): string {
  const samples = opusPacketSamples(packet)
  const read = readPacket(packet)
  assert.ok(Number.isInteger(samples) && samples >= 0, 'a length is a whole number')
  if (read) assert.ok(read.samples > 0 && read.samples <= MAX_SAMPLES, 'a packet has at most 120 ms')
  return `${read?.samples ?? 'none'} ${read?.isStereo ?? ''} ${isDtx(packet)} ${hasFec(packet)}`
}

const opus: Target = {
  name: 'opus',
  starts: [...tone, Uint8Array.of(0x7b, 0x83, 1, 2, 3), Uint8Array.of(0)],
  words: [],
  take: opusOf,
}

const ogg: Target = {
  name: 'ogg',
  starts: [oggOpus(tone), oggOpus(tone, { packetsPerPage: 1 }), oggOpus(tone, { comments: ['TITLE=a'], trimmed: 100 })],
  words: ['OggS', 'OpusHead', 'OpusTags'],
  take: (bytes) =>
    withFile(reseal(bytes), async (path) => {
      const packets = await takeApart(path, MOST_PACKETS)
      if (typeof packets === 'string') return packets
      assert.ok(packets.length > 0 && packets.length <= MOST_PACKETS)
      return `${packets.length} ${packets.map((packet) => opusOf(packet)).join(', ')}`.slice(0, 120)
    }),
}

/** Pages with right checksums, so that what they say is read. */
function reseal(bytes: Buffer): Buffer {
  const starts = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index)
  const cuts = starts.map((from, place) => bytes.subarray(from, starts[place + 1] ?? bytes.length))
  return Buffer.concat([
    bytes.subarray(0, starts[0] ?? bytes.length),
    ...cuts.map((page) => (page.length < 27 ? page : sealed(page))),
  ])
}

const wave = (kind: Parameters<typeof oddWave>[1]): Buffer => oddWave(440, kind).subarray(0, 300)
const wav: Target = {
  name: 'wav',
  starts: [
    wave({}),
    wave({ isBig: true }),
    wave({ bits: 24, containerBits: 32, isExtensible: true }),
    wave({ between: [['LIST', Buffer.from('abc')]], isUnpadded: true }),
  ],
  words: ['RIFF', 'RIFX', 'WAVE', 'fmt ', 'data', 'LIST', 'fact'],
  take: (bytes) =>
    withFile(bytes, async (path, folder) => {
      const straight = await straightenWave(path, join(folder, 'straight'))
      return 'fault' in straight ? straight.fault : String(straight.path === path)
    }),
}

export const BINARIES: readonly Target[] = [rtp, opus, ogg, wav]

/** Rewrites legal but unusual WAV files as plain RIFF, because decoders misread them. */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { WaveFault } from './protocol/wave-fault.ts'

/** Format tags (RFC 2361 and the registry of Microsoft). */
const PCM = 0x0001
const FLOAT = 0x0003
const EXTENSIBLE = 0xfffe

const CHUNK_HEADER = 8
/** Our choice: the most chunks that are read; a usual file has a dozen. */
const CHUNKS = 1_000
/** Chunk names that recorders and editors write. */
const USUAL: ReadonlySet<string> = new Set([
  'fmt ',
  'data',
  'LIST',
  'fact',
  'bext',
  'JUNK',
  'junk',
  'FLLR',
  'PAD ',
  'PEAK',
  'cue ',
  'smpl',
  'inst',
  'id3 ',
  'ID3 ',
  'iXML',
  'DISP',
  'cart',
  'acid',
  'plst',
])
/** Bytes copied at once: a whole number of samples of any width. */
const BLOCK_BYTES = 24 * 8_192

interface Chunk {
  readonly name: string
  /** Offset of its content in the file. */
  readonly at: number
  readonly bytes: number
}

interface Layout {
  readonly isBig: boolean
  readonly fmt: Chunk
  readonly data: Chunk
  /** Whether decoders would misread the file: a chunk of odd length has no padding, or the file is big-endian. */
  readonly isOdd: boolean
}

/** The format of the samples. */
interface Samples {
  readonly tag: number
  readonly channels: number
  readonly rateHz: number
  /** Bytes that one sample takes up. */
  readonly bytes: number
  /** Bits of it that carry the value. */
  readonly bits: number
}

/**
 * Rewrites a WAV file that decoders misread as plain RIFF: big-endian files (RIFX), samples in a wider container (24
 * bits in 32), chunks of odd length without padding. Returns the path that decoders should read, which is the original
 * file when nothing was rewritten, or the fault of a file that they would misread in any form.
 *
 * @param straightPath Where the file is rewritten; nothing is there yet.
 */
export async function straightenWave(
  path: string,
  straightPath: string,
): Promise<{ readonly path: string } | { readonly fault: WaveFault }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const layout = await layoutOf(file, size)
    if (layout === 'other') return { path }
    if (layout === 'unreadable') return { fault: 'wave-chunks' }
    const samples = await samplesOf(file, layout)
    if (!areKnown(samples)) return layout.isBig ? { fault: 'wave-samples' } : { path }
    const isWider = samples.bytes > Math.ceil(samples.bits / 8)
    if (!layout.isOdd && !isWider) return { path }
    await rewrite(file, straightPath, layout, samples)
    return { path: straightPath }
  } finally {
    await file.close()
  }
}

/** Whether the samples can be copied: they are no packets of a codec, and the header does not contradict itself. */
function areKnown({ tag, bytes, bits }: Samples): boolean {
  if (bits === 0 || bits > bytes * 8) return false
  return tag === PCM ? [1, 2, 3, 4].includes(bytes) : tag === FLOAT && (bytes === 4 || bytes === 8)
}

/** Reads the chunks up to the samples. `other` means no 32-bit RIFF, or a RIFF whose chunks are left to the decoder. */
async function layoutOf(file: FileHandle, size: number): Promise<Layout | 'other' | 'unreadable'> {
  const head = (await read(file, 0, 12)).toString('latin1')
  const isBig = head.startsWith('RIFX')
  if (!isBig && !head.startsWith('RIFF')) return 'other'
  const unknown = isBig ? 'unreadable' : 'other'
  let fmt: Chunk | null = null
  let isOdd = isBig
  let isAfterOdd = false
  let at = 12
  for (let count = 0; count < CHUNKS && at + CHUNK_HEADER <= size; count++) {
    const chunk: Chunk | null = await chunkBehind(file, at, isAfterOdd, isBig)
    if (!chunk) return unknown
    if (chunk.at !== at + CHUNK_HEADER) isOdd = true
    if (chunk.name === 'fmt ') fmt = chunk
    // The stated length may be wrong: it is 0 or the maximum in a file that was never finished.
    if (chunk.name === 'data')
      return fmt ? { isBig, fmt, isOdd, data: { ...chunk, bytes: lengthOf(chunk, size) } } : unknown
    isAfterOdd = chunk.bytes % 2 === 1
    at = chunk.at + chunk.bytes + (isAfterOdd ? 1 : 0)
  }
  return unknown
}

function lengthOf({ at, bytes }: Chunk, size: number): number {
  const rest = size - at
  return bytes === 0 || bytes > rest ? rest : bytes
}

/** The chunk at an offset, or one byte earlier after an unpadded chunk of odd length, whichever has a usual name. */
async function chunkBehind(file: FileHandle, at: number, isAfterOdd: boolean, isBig: boolean): Promise<Chunk | null> {
  const padded = await chunkAt(file, at, isBig)
  if (!isAfterOdd || (padded && USUAL.has(padded.name))) return padded
  const unpadded = await chunkAt(file, at - 1, isBig)
  return unpadded && USUAL.has(unpadded.name) ? unpadded : padded
}

async function chunkAt(file: FileHandle, at: number, isBig: boolean): Promise<Chunk | null> {
  const header = await read(file, at, CHUNK_HEADER)
  const name = header.toString('latin1', 0, 4)
  if (header.byteLength < CHUNK_HEADER || !/^[\x20-\x7e]{4}$/.test(name)) return null
  return { name, at: at + CHUNK_HEADER, bytes: isBig ? header.readUInt32BE(4) : header.readUInt32LE(4) }
}

async function samplesOf(file: FileHandle, { isBig, fmt }: Layout): Promise<Samples> {
  const bytes = await read(file, fmt.at, 40)
  const view = Buffer.alloc(40)
  bytes.copy(view)
  const u16 = (at: number) => (isBig ? view.readUInt16BE(at) : view.readUInt16LE(at))
  const channels = u16(2)
  const isExtensible = u16(0) === EXTENSIBLE
  // After the first 16 bytes follow the length of the extension, the valid bits, the speakers, and a GUID that begins
  // with the tag. Big-endian files write the tag in either byte order.
  const inGuid = Math.min(view.readUInt32BE(24), view.readUInt32LE(24))
  return {
    channels,
    tag: isExtensible ? inGuid : u16(0),
    rateHz: isBig ? view.readUInt32BE(4) : view.readUInt32LE(4),
    bytes: channels === 0 ? 0 : u16(12) / channels,
    bits: isExtensible && u16(18) > 0 ? u16(18) : u16(14),
  }
}

async function rewrite(
  file: FileHandle,
  straightPath: string,
  { isBig, data }: Layout,
  samples: Samples,
): Promise<void> {
  const out = await open(straightPath, 'wx', 0o600)
  try {
    await out.writeFile(headerOf(samples, data.bytes))
    for await (const block of blocksOf(file, data, samples, isBig)) await out.writeFile(block)
  } finally {
    await out.close()
  }
}

/** Makes a RIFF header with a format chunk of 16 bytes. */
function headerOf({ tag, channels, rateHz, bytes }: Samples, dataBytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(tag, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rateHz, 24)
  // The product overflows only for a rate that nothing plays; decoders use the rate itself.
  header.writeUInt32LE(Math.min(0xffff_ffff, rateHz * bytes * channels), 28)
  header.writeUInt16LE(bytes * channels, 32)
  header.writeUInt16LE(bytes * 8, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

async function* blocksOf(file: FileHandle, data: Chunk, samples: Samples, isBig: boolean): AsyncGenerator<Buffer> {
  let isFirst = true
  let isLow = false
  for (let at = 0; at < data.bytes; at += BLOCK_BYTES) {
    const block = await read(file, data.at + at, Math.min(BLOCK_BYTES, data.bytes - at))
    if (isBig) swap(block, samples.bytes)
    if (isFirst) isLow = isLowOf(block, samples)
    // One extra byte in front moves the value to the top of each sample. The sign of the sample before stays in the
    // lowest byte, 144 dB below.
    if (isFirst && isLow) yield Buffer.alloc(1)
    isFirst = false
    yield isLow && at + BLOCK_BYTES >= data.bytes ? block.subarray(0, -1) : block
  }
}

/** Swaps samples to little-endian in place; an incomplete sample at the end stays unchanged. */
function swap(block: Buffer, bytes: number): void {
  const whole = block.subarray(0, block.byteLength - (block.byteLength % Math.max(1, bytes)))
  if (bytes === 2) whole.swap16()
  if (bytes === 4) whole.swap32()
  if (bytes === 8) whole.swap64()
  if (bytes !== 3) return
  for (let at = 0; at + 2 < whole.byteLength; at += 3) {
    const first = whole[at] ?? 0
    whole[at] = whole[at + 2] ?? 0
    whole[at + 2] = first
  }
}

/**
 * Whether the 24 bits are at the bottom of 32, where some recorders write them, instead of the top. The samples tell:
 * then the highest byte is only their sign.
 */
function isLowOf(block: Buffer, { tag, bytes, bits }: Samples): boolean {
  if (tag !== PCM || bytes !== 4 || bits !== 24) return false
  let isAnyLow = false
  for (let at = 0; at + 3 < block.byteLength; at += 4) {
    if (block[at + 3] !== ((block[at + 2] ?? 0) >= 0x80 ? 0xff : 0)) return false
    isAnyLow ||= block[at] !== 0
  }
  return isAnyLow
}

async function read(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}

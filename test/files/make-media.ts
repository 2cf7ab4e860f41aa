import { crc32, deflateSync } from 'node:zlib'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { askWorkshop } from './workshop.ts'
import type { Film } from '../../engines/media/test/workshop-program.ts'

const RED = { r: 200, g: 30, b: 30 }

export function jpeg(width = 40, height = 30): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: RED } })
    .jpeg()
    .toBuffer()
}

export function png(width = 40, height = 30): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: RED } })
    .png()
    .toBuffer()
}

export function gif(): Promise<Buffer> {
  return sharp({ create: { width: 20, height: 20, channels: 3, background: RED } })
    .gif()
    .toBuffer()
}

export function webp(width = 512, height = 512): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { ...RED, alpha: 0.5 } } })
    .webp()
    .toBuffer()
}

/** An animated WebP of three frames. */
export function animatedWebp(side = 512): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3 * 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = at < side * side * 3 ? 10 : at < side * side * 6 ? 120 : 240
  return sharp(pixels, { raw: { width: side, height: side * 3, channels: 3, pageHeight: side } })
    .webp({ loop: 0, delay: [100, 100, 100] })
    .toBuffer()
}

/** Pads a picture or a document to a size. Readers stop before the padding, so the content stays the same. */
export function padded(bytes: Buffer, sizeBytes: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(sizeBytes - bytes.byteLength)])
}

/** A WebP or WAV with a padding chunk, which readers skip (RFC 9649 2.7). */
export function paddedRiff(bytes: Buffer, sizeBytes: number): Buffer {
  const extra = Buffer.alloc(sizeBytes - bytes.byteLength)
  extra.write('JUNK', 0)
  extra.writeUInt32LE(extra.byteLength - 8, 4)
  const whole = Buffer.concat([bytes, extra])
  whole.writeUInt32LE(whole.byteLength - 8, 4)
  return whole
}

/** An MP4 or MOV with a padding box, which readers skip (ISO 14496-12 8.1.2). */
export function paddedMp4(bytes: Buffer, sizeBytes: number): Buffer {
  const free = Buffer.alloc(sizeBytes - bytes.byteLength)
  free.writeUInt32BE(free.byteLength, 0)
  free.write('free', 4)
  return Buffer.concat([bytes, free])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.byteLength)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG whose header states this size, whatever pixels follow. */
export function statedPng(width: number, height: number, pixels: Buffer): Buffer {
  return packedPng(width, height, deflateSync(pixels, { level: 9 }))
}

/** A PNG whose header states this size, with pixels that are compressed already. */
export function packedPng(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A WebM or MKV with a padding element of at least 9 bytes, which readers skip (RFC 8794 11.3.2). */
export function paddedMatroska(bytes: Buffer, sizeBytes: number): Buffer {
  const empty = Buffer.alloc(sizeBytes - bytes.byteLength)
  empty[0] = 0xec
  // The length has 8 bytes; the lowest bit of the first one marks that.
  empty.writeBigUInt64BE(BigInt(empty.byteLength - 9) | (1n << 56n), 1)
  return Buffer.concat([bytes, empty])
}

const films = new Map<string, Promise<Buffer>>()

/** A film with a tone of 440 Hz. Each film is made once per test file, and every caller gets a copy of the bytes. */
export async function film(wanted: Film): Promise<Buffer> {
  const key = JSON.stringify(wanted)
  const made = films.get(key) ?? makeFilm(wanted)
  films.set(key, made)
  return Buffer.from(await made)
}

async function makeFilm(make: Film): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    const path = join(directory, 'film')
    await askWorkshop({ path, make })
    return await readFile(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The streams of a file, as a reader other than the tested one finds them. */
export function streamsOf(path: string): Promise<unknown> {
  return askWorkshop({ path })
}

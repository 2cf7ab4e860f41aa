/**
 * Opus packets taken apart into frames and put together anew, without decoding (RFC 6716 section 3.2 and appendix B).
 */
import { opusFrameSamples } from '../audio/opus-packet.ts'

/** Samples of 20 ms at 48 kHz. */
export const UNIT_SAMPLES = 960
/** The longest frame, in bytes (RFC 6716 section 3.4, R2). */
const MAX_FRAME_BYTES = 1_275
/** The longest packet, in samples at 48 kHz (RFC 6716 section 3.2.5, R5). */
const MAX_PACKET_SAMPLES = 5_760
/** A length below this takes one byte, a longer one two (RFC 6716 section 3.2.1). */
const LONG_LENGTH = 252

/** 20 ms of one stream. */
export interface OpusUnit {
  /** The first byte of its packets, without the two bits that count the frames. */
  readonly toc: number
  /** Frames of one length in time; an empty one has the decoder conceal it. */
  readonly frames: readonly Uint8Array[]
}

/** The units of a packet, in order; null when the packet is malformed or cannot be cut into 20 ms. */
export function unitsOf(packet: Uint8Array): OpusUnit[] | null {
  const frames = framesOf(packet)
  const samples = opusFrameSamples(packet)
  if (frames === null || samples === 0 || frames.length * samples > MAX_PACKET_SAMPLES) return null
  const perUnit = UNIT_SAMPLES / samples
  if (perUnit < 1 || frames.length % perUnit !== 0) return null
  const toc = (packet[0] ?? 0) & 0xfc
  return Array.from({ length: frames.length / perUnit }, (_, at) => ({
    toc,
    frames: frames.slice(at * perUnit, (at + 1) * perUnit),
  }))
}

/** A unit that its decoder conceals, in the form of the unit before it. */
export function lostAfter({ toc, frames }: OpusUnit): OpusUnit {
  return { toc, frames: frames.map(() => new Uint8Array(0)) }
}

/**
 * One packet of two mono streams (RFC 7845 section 3): the first in the form that states its own length, the second as
 * it is.
 */
export function joined(first: OpusUnit, second: OpusUnit): Uint8Array {
  const heads = [headOf(first, true), headOf(second, false)]
  const parts = [heads[0] ?? [], ...first.frames, heads[1] ?? [], ...second.frames]
  const packet = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    packet.set(part, at)
    at += part.length
  }
  return packet
}

function headOf({ toc, frames }: OpusUnit, statesLength: boolean): number[] {
  const [only] = frames
  if (frames.length === 1 && only) return [toc, ...(statesLength ? lengthBytes(only.length) : [])]
  const stated = statesLength ? frames : frames.slice(0, -1)
  return [toc | 3, 0x80 | frames.length, ...stated.flatMap(({ length }) => lengthBytes(length))]
}

function lengthBytes(length: number): number[] {
  if (length < LONG_LENGTH) return [length]
  const first = LONG_LENGTH + (length & 3)
  return [first, (length - first) >> 2]
}

function framesOf(packet: Uint8Array): Uint8Array[] | null {
  const toc = packet[0]
  if (toc === undefined) return null
  const body = packet.subarray(1)
  const frames = [oneFrame, twoEqualFrames, twoFrames, manyFrames][toc & 3]?.(body) ?? null
  return frames?.every(({ length }) => length <= MAX_FRAME_BYTES) ? frames : null
}

function oneFrame(body: Uint8Array): Uint8Array[] {
  return [body]
}

function twoEqualFrames(body: Uint8Array): Uint8Array[] | null {
  return equalFrames(body, 2)
}

function twoFrames(body: Uint8Array): Uint8Array[] | null {
  return frames(body, 2)
}

function manyFrames(body: Uint8Array): Uint8Array[] | null {
  const head = body[0]
  if (head === undefined) return null
  const count = head & 0x3f
  const hasPadding = (head & 0x40) !== 0
  const padded = hasPadding ? withoutPadding(body) : body.subarray(1)
  if (count === 0 || padded === null) return null
  return head & 0x80 ? frames(padded, count) : equalFrames(padded, count)
}

/** RFC 6716 section 3.2.5: 255 stands for 254 bytes of padding and a further byte of its length. */
function withoutPadding(body: Uint8Array): Uint8Array | null {
  let padding = 0
  for (let at = 1; at < body.length; at++) {
    const byte = body[at] ?? 0
    padding += byte === 255 ? 254 : byte
    if (byte === 255) continue
    const end = body.length - padding
    return end < at + 1 ? null : body.subarray(at + 1, end)
  }
  return null
}

function equalFrames(body: Uint8Array, count: number): Uint8Array[] | null {
  const length = body.length / count
  if (!Number.isInteger(length)) return null
  return Array.from({ length: count }, (_, at) => body.subarray(at * length, (at + 1) * length))
}

/** Frames with a length each, but for the last. */
function frames(body: Uint8Array, count: number): Uint8Array[] | null {
  const lengths: number[] = []
  let at = 0
  while (lengths.length < count - 1) {
    const first = body[at]
    if (first === undefined) return null
    const second = first < LONG_LENGTH ? 0 : body[at + 1]
    if (second === undefined) return null
    at += first < LONG_LENGTH ? 1 : 2
    lengths.push(first + 4 * second)
  }
  const found: Uint8Array[] = []
  for (const length of lengths) {
    if (at + length > body.length) return null
    found.push(body.subarray(at, at + length))
    at += length
  }
  return [...found, body.subarray(at)]
}

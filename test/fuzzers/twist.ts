import type { Random } from '../../simulation/random.ts'

/** Our choice: most changes of one input, and most bytes of a piece that is copied or cut. */
const MOST_CHANGES = 6
const MOST_PIECE = 64
/** Bytes at which readers go wrong: ends of ranges, and what separates things in texts. */
const ODD_BYTES = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x0a, 0x0d, 0x20, 0x22, 0x5b, 0x5c, 0x7b, 0x7d]
/** Sizes that readers may trust, as 16 and 32 bits. */
const ODD_SIZES = [0, 1, 0x7f_ff, 0x80_00, 0xff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff]

type Change = (bytes: Buffer, at: number, random: Random, words: readonly string[], other: Buffer) => Buffer

function put(bytes: Buffer, at: number, piece: Uint8Array, over: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + over)])
}

function size(random: Random): Buffer {
  const value = random.pick(ODD_SIZES)
  const bytes = Buffer.alloc(random.pick([2, 4]))
  const written = bytes.length === 2 ? value & 0xff_ff : value
  if (random.chance(50)) bytes.writeUIntBE(written, 0, bytes.length)
  else bytes.writeUIntLE(written, 0, bytes.length)
  return bytes
}

function piece(of: Buffer, random: Random): Buffer {
  const from = random.between(0, of.length)
  return of.subarray(from, from + random.between(1, MOST_PIECE))
}

function wordOf(words: readonly string[], random: Random): Buffer {
  return Buffer.from(words.length > 0 ? random.pick(words) : '')
}

const CHANGES: readonly Change[] = [
  (bytes, at, random) => put(bytes, at, Buffer.of((bytes[at] ?? 0) ^ (1 << random.between(0, 7))), 1),
  (bytes, at, random) => put(bytes, at, Buffer.of(random.pick(ODD_BYTES)), 1),
  (bytes, at, random) => put(bytes, at, random.bytes(random.between(1, 4)), random.between(0, 4)),
  (bytes, at, random) => put(bytes, at, size(random), random.pick([0, 2, 4])),
  (bytes, at, random) => put(bytes, at, Buffer.alloc(0), random.between(1, MOST_PIECE)),
  (bytes, at, random) => put(bytes, at, piece(bytes, random), 0),
  (bytes, at, random, words) => put(bytes, at, wordOf(words, random), 0),
  (bytes, at, random, words) => put(bytes, at, wordOf(words, random), random.between(1, 8)),
  (bytes, at, random, _, other) => put(bytes, at, piece(other, random), random.between(0, MOST_PIECE)),
  (bytes, at, random, _, other) =>
    Buffer.concat([bytes.subarray(0, at), other.subarray(random.between(0, other.length))]),
  (bytes, at) => bytes.subarray(0, at),
]

/** An input with a few changes, some of which take pieces of another one; at most `longest` bytes of it. */
export function twist(bytes: Buffer, other: Buffer, words: readonly string[], random: Random, longest: number): Buffer {
  let twisted = bytes
  for (let left = random.between(1, MOST_CHANGES); left > 0; left--)
    twisted = random.pick(CHANGES)(twisted, random.between(0, twisted.length), random, words, other)
  return twisted.subarray(0, longest)
}

/** WAV files of one tone, written in legal but unusual ways. */

export interface OddWave {
  /** Whether the file is big-endian (RIFX). */
  readonly isBig?: boolean
  readonly tag?: number
  /** Bits of a sample that carry the value, and bits that it takes up; equal by default. */
  readonly bits?: number
  readonly containerBits?: number
  /** Whether the format is WAVE_FORMAT_EXTENSIBLE, with the tag in its GUID. */
  readonly isExtensible?: boolean
  readonly channels?: number
  /** Chunks between fmt and data, by name and content; padded to even lengths. */
  readonly between?: readonly (readonly [name: string, content: Uint8Array])[]
  /** Chunks before fmt. */
  readonly before?: readonly (readonly [name: string, content: Uint8Array])[]
  /** Whether chunks of odd length have no padding. */
  readonly isUnpadded?: boolean
  readonly head?: string
}

const RATE_HZ = 16_000
const AMPLITUDE = 0.35

/** One second of the tone. */
export function oddWave(hz: number, wave: OddWave): Buffer {
  const {
    isBig = false,
    tag = 1,
    bits = 16,
    containerBits = bits,
    isExtensible = false,
    channels = 1,
    between = [],
    before = [],
    isUnpadded = false,
    head = isBig ? 'RIFX' : 'RIFF',
  } = wave
  const u16 = (value: number) => {
    const out = Buffer.alloc(2)
    if (isBig) out.writeUInt16BE(value)
    else out.writeUInt16LE(value)
    return out
  }
  const u32 = (value: number) => {
    const out = Buffer.alloc(4)
    if (isBig) out.writeUInt32BE(value)
    else out.writeUInt32LE(value)
    return out
  }
  const chunk = (name: string, content: Uint8Array) =>
    Buffer.concat([
      Buffer.from(name),
      u32(content.byteLength),
      content,
      Buffer.alloc(isUnpadded ? 0 : content.byteLength % 2),
    ])
  const bytes = containerBits / 8
  const plain = [
    u16(isExtensible ? 0xfffe : tag),
    u16(channels),
    u32(RATE_HZ),
    u32(RATE_HZ * bytes * channels),
    u16(bytes * channels),
    u16(isExtensible ? containerBits : bits),
  ]
  const guid = Buffer.concat([u32(tag), u16(0), u16(0x10), Buffer.from('800000aa00389b71', 'hex')])
  const fmt = Buffer.concat([
    ...plain,
    ...(isExtensible ? [u16(22), u16(bits), u32(channels === 1 ? 4 : 3), guid] : []),
  ])
  const samples = Buffer.concat(
    Array.from({ length: RATE_HZ }, (_, at) => {
      const one = sampleOf(AMPLITUDE * Math.sin((2 * Math.PI * hz * at) / RATE_HZ), { isBig, tag, bits, bytes })
      return Buffer.concat(Array<Buffer>(channels).fill(one))
    }),
  )
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    ...before.map(([name, content]) => chunk(name, content)),
    chunk('fmt ', fmt),
    ...between.map(([name, content]) => chunk(name, content)),
    chunk('data', samples),
  ])
  return Buffer.concat([Buffer.from(head), u32(body.byteLength), body])
}

function sampleOf(
  value: number,
  { isBig, tag, bits, bytes }: { isBig: boolean; tag: number; bits: number; bytes: number },
): Buffer {
  const out = Buffer.alloc(bytes)
  if (tag === 3 && bytes === 8) out.writeDoubleLE(value)
  else if (tag === 3) out.writeFloatLE(value)
  else if (bytes === 1) out[0] = 128 + Math.round(value * 127)
  // The value is at the top of its container.
  else out.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)) * 2 ** (bytes * 8 - bits), 0, bytes)
  return isBig ? Buffer.from(out.toReversed()) : out
}

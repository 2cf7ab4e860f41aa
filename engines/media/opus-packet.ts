/** Reads how an Opus packet is built, without decoding it (RFC 6716 section 3). */

/** Samples of a frame at 48 kHz by the low bits of its configuration (RFC 6716 section 3.1, table 2). */
const SILK_SAMPLES = [480, 960, 1_920, 2_880] as const
const HYBRID_SAMPLES = [480, 960] as const
const CELT_SAMPLES = [120, 240, 480, 960] as const
/** The longest frame in bytes (RFC 6716 section 3.2.1), and the longest packet in samples (section 3.2.5). */
const MAX_FRAME_BYTES = 1_275
const MAX_SAMPLES = 5_760

export interface OpusPacket {
  /** The duration in samples at 48 kHz. */
  readonly samples: number
  readonly isStereo: boolean
}

/** The properties of a packet; null when it breaks a rule of RFC 6716 section 3.4, which decoders refuse. */
export function readPacket(packet: Uint8Array): OpusPacket | null {
  const [toc] = packet
  if (toc === undefined) return null
  const frames = framesOf(toc & 3, packet)
  const samples = frames * frameSamples(toc >> 3)
  return frames > 0 && samples <= MAX_SAMPLES ? { samples, isStereo: (toc & 4) !== 0 } : null
}

function frameSamples(config: number): number {
  if (config < 12) return SILK_SAMPLES[config & 3] ?? 0
  if (config < 16) return HYBRID_SAMPLES[config & 1] ?? 0
  return CELT_SAMPLES[config & 3] ?? 0
}

/** The number of frames by the code in the first byte; 0 when the lengths are inconsistent. */
function framesOf(code: number, packet: Uint8Array): number {
  if (code === 0) return areOf(1, packet.length - 1) ? 1 : 0
  if (code === 1) return areOf(2, packet.length - 1) ? 2 : 0
  if (code === 2) return fitUnequal(2, packet, 1, packet.length) ? 2 : 0
  return manyFrames(packet)
}

/** Counts the frames of code 3, which allows any number of them and padding (RFC 6716 section 3.2.5). */
function manyFrames(packet: Uint8Array): number {
  const second = packet[1] ?? 0
  const frames = second & 0x3f
  let [at, end] = [2, packet.length]
  if (second & 0x40) {
    let size = 255
    while (size === 255) {
      size = packet[at++] ?? 0
      end -= size === 255 ? 254 : size
    }
  }
  if (frames === 0 || at > end) return 0
  return (second & 0x80 ? fitUnequal(frames, packet, at, end) : areOf(frames, end - at)) ? frames : 0
}

function areOf(frames: number, bytes: number): boolean {
  return bytes % frames === 0 && bytes / frames <= MAX_FRAME_BYTES
}

/**
 * Whether frames of unequal lengths fill the packet. The lengths of all frames but the last stand before them, in one
 * or two bytes each (RFC 6716 section 3.2.1).
 */
function fitUnequal(frames: number, packet: Uint8Array, lengthsAt: number, end: number): boolean {
  let [at, bytes] = [lengthsAt, 0]
  for (let frame = 1; frame < frames; frame++) {
    const size = packet[at++] ?? 0
    bytes += size < 252 ? size : size + 4 * (packet[at++] ?? 0)
  }
  const last = end - at - bytes
  return last >= 0 && last <= MAX_FRAME_BYTES
}

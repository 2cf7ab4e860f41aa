/** Facts of an Opus packet that its first bytes tell without decoding (RFC 6716 section 3.1). */

/** Opus counts RTP time at 48 kHz, whatever the coded rate (RFC 7587 section 4.1). */
export const OPUS_CLOCK_HZ = 48_000
/** Longest packet: 120 ms (RFC 6716 section 3.2.5, R5). */
const MAX_SAMPLES = 5_760

const SILK_FRAME_SAMPLES = [480, 960, 1_920, 2_880] as const
const CELT_FRAME_SAMPLES = [120, 240, 480, 960] as const

/** Samples at 48 kHz of one frame of the packet; 0 for an empty packet. */
export function opusFrameSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const config = toc >> 3
  if (config < 12) return SILK_FRAME_SAMPLES[config & 3] ?? 0
  if (config < 16) return config & 1 ? 960 : 480
  return CELT_FRAME_SAMPLES[config & 3] ?? 0
}

/** Samples at 48 kHz of the whole packet; 0 when it is no Opus packet. */
export function opusPacketSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const code = toc & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f
  const samples = frames * opusFrameSamples(packet)
  return samples <= MAX_SAMPLES ? samples : 0
}

/** Most bytes of a packet without sound, as encoders make it in discontinuous transmission (RFC 7587 section 3.1.3). */
const DTX_BYTES = 2

/** True when the packet says that there is nothing to hear: its frame has no data. */
export function isDtx(packet: Uint8Array): boolean {
  return packet.length <= DTX_BYTES
}

/**
 * A packet of 20 ms without data (RFC 6716 section 3.1: SILK, wideband, mono, one frame), for time in which a sender
 * sends nothing. A decoder goes on by itself as after a pause.
 */
export const EMPTY_PACKET: Uint8Array = Uint8Array.of(9 << 3)

/**
 * True when the packet carries a low-rate copy of the one before (RFC 6716 section 4.2.3: the LBRR flag follows the
 * voice flags in the first byte of a SILK frame). For packets of several frames with explicit lengths the answer is
 * false, which only costs the better one of two concealments.
 */
export function hasFec(packet: Uint8Array): boolean {
  const [toc, first] = packet
  if (toc === undefined || first === undefined || toc >> 3 >= 16 || (toc & 3) > 1) return false
  const silkFrames = Math.max(1, opusFrameSamples(packet) / 960)
  const isMiddle = (first >> (7 - silkFrames)) & 1
  const isSide = toc & 4 ? (first >> (6 - 2 * silkFrames)) & 1 : 0
  return isMiddle === 1 || isSide === 1
}

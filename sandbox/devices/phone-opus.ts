import { Application, createDecoder, createEncoder } from 'libopus-wasm'

/**
 * The only file of the sandbox that knows the codec. It is wasm, because the native one ends a process that used it in
 * a worker thread.
 */

/** RTP clock of Opus, whatever the coded bandwidth (RFC 7587 4.1). */
export const OPUS_CLOCK_HZ = 48_000
export const FRAME_SAMPLES = 960

const TONE_HZ = 440
/** A quarter of full scale: -15 dBFS RMS, the level of loud speech. */
const TONE_AMPLITUDE = 8_192
const TONE_LOOP_FRAMES = 50
const BITRATE = 32_000
/** our choice: raw audio is kept almost unchanged. */
const WRITER_BITRATE = 96_000
/** Frames of silence after which the encoder has settled. */
const SETTLING_FRAMES = 10

/** RFC 6716 3.1, table 2: frame lengths in samples at 48 kHz by configuration. */
const SILK_SAMPLES = [480, 960, 1_920, 2_880] as const
const HYBRID_SAMPLES = [480, 960] as const
const CELT_SAMPLES = [120, 240, 480, 960] as const

/** Length of a packet in samples at 48 kHz; 0 when it is no packet. */
export function packetSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const configuration = toc >> 3
  const frame =
    configuration < 12
      ? SILK_SAMPLES[configuration & 3]
      : configuration < 16
        ? HYBRID_SAMPLES[configuration & 1]
        : CELT_SAMPLES[configuration & 3]
  const code = toc & 3
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 63 : 2
  return (frame ?? 0) * frames
}

/** Decodes packets of one stream to mono samples. */
export interface OpusReader {
  /** Mono samples; null for a packet that is no Opus, and once closed. */
  decode(packet: Uint8Array): Int16Array | null
  /** Frees the decoder's memory, which no garbage collector sees. Idempotent. */
  close(): void
}

/** Opens a decoder; 16 kHz costs half of 48 kHz and is enough to measure voices. */
export async function openOpusReader(rateHz: 8_000 | 16_000 | 24_000 | 48_000): Promise<OpusReader> {
  const decoder = await createDecoder({ channels: 1, sampleRate: rateHz })
  let isClosed = false
  return {
    decode(packet) {
      if (isClosed || packetSamples(packet) === 0) return null
      try {
        return decoder.decode(packet)
      } catch {
        return null
      }
    },
    close() {
      if (!isClosed) decoder.free()
      isClosed = true
    },
  }
}

/** Codes one stream of 20 ms frames. */
export interface OpusWriter {
  /** `samples`: 20 ms at the writer's rate. Answers null once closed. */
  encode(samples: Int16Array): Uint8Array | null
  /** Idempotent. */
  close(): void
}

/**
 * Opens an encoder for what a phone hears as raw audio: the cheapest one, with a third of the CPU of the usual one
 * (measured), because only levels and tones are read from it.
 */
export async function openOpusWriter(rateHz: 8_000 | 16_000 | 24_000 | 48_000): Promise<OpusWriter> {
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: rateHz,
    application: Application.Audio,
    bitrate: WRITER_BITRATE,
    complexity: 0,
  })
  let isClosed = false
  return {
    encode: (samples) => (isClosed ? null : encoder.encode(samples)),
    close() {
      if (!isClosed) encoder.free()
      isClosed = true
    },
  }
}

/** Packets that phones only repeat, so that a talking phone costs no encoder. */
export interface Sounds {
  readonly silence: Uint8Array
  /** One second of 440 Hz that may be looped: 440 whole periods. */
  readonly tone: readonly Uint8Array[]
}

function toneFrame(index: number): Int16Array {
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) =>
    Math.round(TONE_AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * (index * FRAME_SAMPLES + i)) / OPUS_CLOCK_HZ)),
  )
}

async function encodeFrames(frames: readonly Int16Array[]): Promise<Uint8Array[]> {
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: OPUS_CLOCK_HZ,
    application: Application.Audio,
    bitrate: BITRATE,
  })
  const packets = frames.map((frame) => encoder.encode(frame))
  encoder.free()
  return packets
}

let encoded: Promise<Sounds> | null = null

/** The sounds, encoded once in a process: that takes 0.1 s (measured). */
export function encodeSounds(): Promise<Sounds> {
  return (encoded ??= encodeAll())
}

/** Two loops of the tone are coded and the second kept, so that the seam fits. */
async function encodeAll(): Promise<Sounds> {
  const tone = await encodeFrames(Array.from({ length: TONE_LOOP_FRAMES * 2 }, (_, index) => toneFrame(index)))
  const silence = await encodeFrames(Array.from({ length: SETTLING_FRAMES }, () => new Int16Array(FRAME_SAMPLES)))
  return { silence: silence.at(-1) ?? new Uint8Array(), tone: tone.slice(TONE_LOOP_FRAMES) }
}

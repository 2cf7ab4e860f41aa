import { ComfortNoise } from './comfort-noise.ts'
import type { RateHz } from './frame.ts'
import { JitterBuffer } from './jitter.ts'
import type { JitterStats, JitterStep, RtpAudio } from './jitter.ts'
import type { OpusCodec, OpusDecoder } from './opus.ts'
import { isDtx } from './opus-packet.ts'
import { PacketFeed } from './packet-feed.ts'
import type { HeardPacket } from './packet-feed.ts'
import { PcmFifo, ramp, samplesPerSlot } from './pcm.ts'

/** Our choice: below -50 dBFS nobody speaks, and a slot can be added or cut unheard. */
const QUIET_RMS = 104
/** Our choice: a silence of up to 400 ms lies between two words. */
const BETWEEN_WORDS_SLOTS = 20

/** The packets of one slot, for those who keep them as they came. */
export interface HeardSlot {
  /** Another object once another source is heard. */
  readonly source: object
  /** Samples at 48 kHz that were handed to the decoder for later slots before this one. */
  readonly leadBefore: number
  readonly steps: readonly JitterStep[]
}

/**
 * One source of the peer (RFC 3550 section 8: an SSRC). Packets in, and for each call of `receive` exactly one slot of
 * samples out, at every rate wanted.
 */
export class IncomingSource {
  readonly #codec: OpusCodec
  readonly #jitter = new JitterBuffer()
  readonly #streams = new Map<RateHz, RateStream>()
  #feed: PacketFeed | null = null
  #ssrc: number | null = null
  #isQuiet = true
  #quietSlots = BETWEEN_WORDS_SLOTS
  #idleSlots = 0
  #leadBefore = 0
  #steps: readonly JitterStep[] = []

  constructor(codec: OpusCodec) {
    this.#codec = codec
  }

  /** The SSRC of its packets; null before the first. */
  get ssrc(): number | null {
    return this.#ssrc
  }

  /** Slots since the last packet. */
  get idleSlots(): number {
    return this.#idleSlots
  }

  /** True while packets are played, false while they are awaited. */
  get isPlaying(): boolean {
    return this.#jitter.isPlaying
  }

  /** True when there was sound within the last BETWEEN_WORDS_SLOTS. */
  get isSpeaking(): boolean {
    return this.#quietSlots < BETWEEN_WORDS_SLOTS
  }

  /** The packets of the slot that was received last. */
  slot(): HeardSlot {
    return { source: this, leadBefore: this.#leadBefore, steps: this.#steps }
  }

  push(packet: RtpAudio): void {
    this.#ssrc = packet.ssrc
    this.#idleSlots = 0
    this.#jitter.push(packet)
  }

  /** Notes a packet that carries no audio. */
  skip(sequence: number): void {
    if (this.#ssrc === null) return
    this.#idleSlots = 0
    this.#jitter.skip(this.#ssrc, sequence)
  }

  /**
   * The samples of one slot at each rate, rate/50 of them. Without rates the time passes and nothing is decoded.
   * `packets` gets what is played in the slot as it came; null when nobody wants it. `mayCut`: see Leg.receive.
   */
  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null, mayCut = false): Int16Array[] {
    this.#idleSlots++
    const leadBefore = this.#jitter.lead
    const steps = this.#jitter.next(this.#isQuiet, this.#isQuiet || mayCut)
    this.#feed = packets === null ? null : (this.#feed ?? new PacketFeed())
    if (packets !== null) this.#feed?.take(steps, packets)
    this.#leadBefore = leadBefore
    this.#steps = steps
    this.#closeUnused(ratesHz)
    const frames = ratesHz.map((rateHz) => {
      const stream = this.#streams.get(rateHz) ?? this.#open(rateHz, leadBefore)
      return stream.play(steps)
    })
    const stream = ratesHz[0] === undefined ? undefined : this.#streams.get(ratesHz[0])
    if (stream) this.#isQuiet = stream.level < QUIET_RMS
    else this.#isQuiet = packets === null || !steps.some((step) => step.kind === 'packet' && !isDtx(step.payload))
    this.#quietSlots = this.#isQuiet ? this.#quietSlots + 1 : 0
    return frames
  }

  stats(): JitterStats {
    return this.#jitter.stats()
  }

  /** Frees the decoders. Idempotent. */
  close(): void {
    this.#closeUnused([])
  }

  #open(rateHz: RateHz, lead: number): RateStream {
    const stream = new RateStream(rateHz, this.#codec.openDecoder(rateHz), lead)
    this.#streams.set(rateHz, stream)
    return stream
  }

  #closeUnused(ratesHz: readonly RateHz[]): void {
    for (const [rateHz, stream] of this.#streams) {
      if (ratesHz.includes(rateHz)) continue
      stream.close()
      this.#streams.delete(rateHz)
    }
  }
}

/**
 * The decoded stream at one rate. A decoder must not miss packets, so each rate has its own for as long as it is
 * wanted.
 */
class RateStream {
  readonly #rateHz: RateHz
  readonly #decoder: OpusDecoder
  readonly #fifo = new PcmFifo()
  readonly #noise = new ComfortNoise()
  #wasSilent = true
  #level = 0

  constructor(rateHz: RateHz, decoder: OpusDecoder, lead: number) {
    this.#rateHz = rateHz
    this.#decoder = decoder
    this.#fifo.push(new Int16Array(this.#count(lead)))
  }

  /** Rms level of the last slot. */
  get level(): number {
    return this.#level
  }

  play(steps: readonly JitterStep[]): Int16Array {
    for (const step of steps) this.#apply(step)
    const frame = this.#fifo.take(samplesPerSlot(this.#rateHz))
    return frame
  }

  close(): void {
    this.#decoder.close()
  }

  #apply(step: JitterStep): void {
    if (step.kind === 'drop') return this.#fifo.drop(this.#count(step.samples))
    if (step.kind === 'silence') return this.#fifo.push(this.#silence(step.samples))
    const samples = this.#decode(step)
    this.#wasSilent = false
    this.#level = this.#noise.observe(samples)
    this.#fifo.push(samples)
  }

  #decode(step: Exclude<JitterStep, { kind: 'silence' | 'drop' }>): Int16Array {
    if (step.kind === 'packet') return this.#decoder.decode(step.payload, step.samples)
    if (step.kind === 'fec') return this.#decoder.recover(step.payload, step.samples)
    return this.#decoder.conceal(step.samples)
  }

  /** Silence that begins with the fading end of the last sound, so that it does not click. */
  #silence(samples48k: number): Int16Array {
    const count = this.#count(samples48k)
    const isFading = !this.#wasSilent && samples48k % 120 === 0
    const samples = isFading ? this.#decoder.conceal(samples48k) : new Int16Array(count)
    if (isFading) ramp(samples, 1, 0)
    this.#noise.addTo(samples)
    this.#wasSilent = true
    this.#level = 0
    return samples
  }

  #count(samples48k: number): number {
    return Math.round((samples48k * this.#rateHz) / 48_000)
  }
}

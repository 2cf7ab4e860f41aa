import { ComfortNoise } from './comfort-noise.ts'
import type { RateHz } from './frame.ts'
import { JitterBuffer } from './jitter.ts'
import type { JitterStats, JitterStep, RtpAudio } from './jitter.ts'
import type { OpusCodec, OpusDecoder } from './opus.ts'
import { PcmFifo, ramp, samplesPerSlot } from './pcm.ts'

/** Below -50 dBFS a slot may be added or cut unheard. Our choice. */
const QUIET_RMS = 104

/** What the peer says: packets in, exactly one slot of samples out per call, at every rate wanted. */
export class IncomingAudio {
  readonly #codec: OpusCodec
  readonly #jitter = new JitterBuffer()
  readonly #streams = new Map<RateHz, RateStream>()
  #isQuiet = true

  constructor(codec: OpusCodec) {
    this.#codec = codec
  }

  /** Takes an audio packet. */
  push(packet: RtpAudio): void {
    this.#jitter.push(packet)
  }

  /** Notes a packet of the same stream that carries no audio. */
  skip(ssrc: number, sequence: number): void {
    this.#jitter.skip(ssrc, sequence)
  }

  /** One slot at each rate, rate/50 samples each. Without rates the time passes and nothing is decoded. */
  receive(ratesHz: readonly RateHz[]): Int16Array[] {
    const leadBefore = this.#jitter.lead
    const steps = this.#jitter.next(this.#isQuiet)
    this.#closeUnused(ratesHz)
    const frames = ratesHz.map((rateHz) => {
      const stream = this.#streams.get(rateHz) ?? this.#open(rateHz, leadBefore)
      return stream.play(steps)
    })
    const stream = ratesHz[0] === undefined ? undefined : this.#streams.get(ratesHz[0])
    this.#isQuiet = !stream || stream.level < QUIET_RMS
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

/** The decoded stream at one rate. A decoder's state must not skip, so each rate has its own for as long as it is wanted. */
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

  /** Level of the last slot, rms. */
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

  /** Silence begins with the fading tail of what was heard, so that it never clicks. */
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
    return Math.round(samples48k * this.#rateHz / 48_000)
  }
}

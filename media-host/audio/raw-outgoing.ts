import type { OutgoingFrame, RateHz } from './frame.ts'
import type { OpusCodec, OpusDecoder } from './opus.ts'
import { opusPacketSamples } from './opus-packet.ts'
import { PcmFifo, samplesPerSlot } from './pcm.ts'
import { Resampler } from './resampler.ts'

/** What is concealed for a packet that says no length. */
const SLOT_SAMPLES_48K = 960

/** The audio to the peer as raw samples at one rate: one frame in and one slot of samples out. */
export class RawOutgoing {
  readonly #rateHz: RateHz
  /**
   * The decoder is open from the start, because opening takes a turn of the event loop and the first packet of a file
   * must not be silent.
   */
  readonly #decoder: OpusDecoder
  /** What packets of more than 20 ms hold for the slots to come. */
  readonly #rest = new PcmFifo()
  #resampler: { readonly fromHz: RateHz; readonly run: Resampler } | null = null

  constructor(opus: OpusCodec, rateHz: RateHz) {
    this.#rateHz = rateHz
    this.#decoder = opus.openDecoder(rateHz)
  }

  /** Always rate/50 samples. */
  next(frame: OutgoingFrame): Int16Array {
    const samples = samplesPerSlot(this.#rateHz)
    if (frame.kind === 'held') return this.#rest.take(samples)
    this.#rest.drop(this.#rest.length)
    if (frame.kind === 'silence') return new Int16Array(samples)
    if (frame.kind === 'opus') {
      this.#rest.push(this.#decoder.decode(frame.packet, opusPacketSamples(frame.packet) || SLOT_SAMPLES_48K))
      return this.#rest.take(samples)
    }
    return this.#resamplerFrom(frame.rateHz).run(frame.samples)
  }

  /** Frees the decoder. Idempotent. */
  close(): void {
    this.#decoder.close()
  }

  #resamplerFrom(fromHz: RateHz): Resampler {
    if (this.#resampler?.fromHz !== fromHz) this.#resampler = { fromHz, run: new Resampler(fromHz, this.#rateHz) }
    return this.#resampler.run
  }
}

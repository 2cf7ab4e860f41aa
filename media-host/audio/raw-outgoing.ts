import type { OutgoingFrame, RateHz } from './frame.ts'
import type { OpusCodec, OpusDecoder } from './opus.ts'
import { samplesPerSlot } from './pcm.ts'
import { Resampler } from './resampler.ts'

/** RTP ticks of a slot, the unit of the decoder (RFC 7587 section 4.1). */
const SLOT_SAMPLES_48K = 960

/** The audio to the peer as raw samples at one rate: one frame in and one slot of samples out. */
export class RawOutgoing {
  readonly #rateHz: RateHz
  /**
   * The decoder is open from the start, because opening takes a turn of the event loop and the first packet of a file
   * must not be silent.
   */
  readonly #decoder: OpusDecoder
  #resampler: { readonly fromHz: RateHz; readonly run: Resampler } | null = null

  constructor(opus: OpusCodec, rateHz: RateHz) {
    this.#rateHz = rateHz
    this.#decoder = opus.openDecoder(rateHz)
  }

  /** Always rate/50 samples. */
  next(frame: OutgoingFrame): Int16Array {
    if (frame.kind === 'silence') return new Int16Array(samplesPerSlot(this.#rateHz))
    if (frame.kind === 'opus') return this.#decoder.decode(frame.packet, SLOT_SAMPLES_48K)
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

import type { OutgoingFrame, RateHz } from '../audio/frame.ts'
import { opusPacketSamples } from '../audio/opus-packet.ts'
import type { OpusCodec, OpusDecoder, OpusEncoder } from '../audio/opus.ts'
import { PcmFifo, samplesPerSlot } from '../audio/pcm.ts'
import { unitsOf } from './opus-frames.ts'
import type { OpusUnit } from './opus-frames.ts'

/** As in a leg: silence longer than 200 ms is one ready packet, because coding is the dearest part (measured). */
const CODED_SILENCE_SLOTS = 10
/** The rate at which packets are coded anew that cannot be cut. */
const RECODED_HZ: RateHz = 16_000

/** One side of a call as units, one for each slot: packets as they are, samples coded. */
export class UnitCoder {
  readonly #codec: OpusCodec
  readonly #silence: OpusUnit
  #encoder: OpusEncoder | null = null
  #silentSlots = CODED_SILENCE_SLOTS
  /** The rest of a packet that lasts longer than a slot. */
  #units: OpusUnit[] = []
  readonly #samples = new PcmFifo()
  #decoder: OpusDecoder | null = null

  constructor(codec: OpusCodec, silence: OpusUnit) {
    this.#codec = codec
    this.#silence = silence
  }

  code(frame: OutgoingFrame): OpusUnit {
    if (frame.kind === 'held') return this.#goOn()
    this.#units = []
    if (this.#samples.length > 0) this.#samples.drop(this.#samples.length)
    if (frame.kind === 'opus') return this.#begin(frame.packet)
    if (frame.kind === 'pcm') return this.codeSamples(frame.samples, frame.rateHz)
    if (this.#silentSlots++ >= CODED_SILENCE_SLOTS || !this.#encoder) return this.#silence
    return this.#encode(this.#encoder, new Int16Array(samplesPerSlot(this.#encoder.rateHz)))
  }

  /** Codes 20 ms of mono samples; digital silence costs next to nothing. */
  codeSamples(samples: Int16Array, rateHz: RateHz): OpusUnit {
    if (samples.every((sample) => sample === 0)) return this.code({ kind: 'silence' })
    this.#silentSlots = 0
    if (this.#encoder?.rateHz !== rateHz) this.#encoder = this.#codec.openEncoder(rateHz)
    return this.#encode(this.#encoder, samples)
  }

  /** Frees the decoder. Idempotent. */
  close(): void {
    this.#decoder?.close()
    this.#decoder = null
  }

  #begin(packet: Uint8Array): OpusUnit {
    this.#units = unitsOf(packet) ?? []
    const samples48k = opusPacketSamples(packet)
    if (this.#units.length === 0 && samples48k > 0) {
      this.#decoder ??= this.#codec.openDecoder(RECODED_HZ)
      this.#samples.push(this.#decoder.decode(packet, samples48k))
    }
    return this.#goOn()
  }

  #goOn(): OpusUnit {
    const unit = this.#units.shift()
    if (unit) return unit
    const { length } = this.#samples
    return length === 0 ? this.#silence : this.#recode(this.#samples.take(samplesPerSlot(RECODED_HZ)))
  }

  #recode(samples: Int16Array): OpusUnit {
    if (this.#encoder?.rateHz !== RECODED_HZ) this.#encoder = this.#codec.openEncoder(RECODED_HZ)
    return this.#encode(this.#encoder, samples)
  }

  #encode(encoder: OpusEncoder, samples: Int16Array): OpusUnit {
    return unitsOf(encoder.encode(samples))?.[0] ?? this.#silence
  }
}

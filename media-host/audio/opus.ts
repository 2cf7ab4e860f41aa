import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import type { Encoder } from '@evan/opus'
import { createDecoder, loadLibopus } from 'libopus-wasm'
import type { OpusDecoderHandle } from 'libopus-wasm'
import type { RateHz } from './frame.ts'
import { OPUS_CLOCK_HZ } from './opus-packet.ts'
import { samplesPerSlot } from './pcm.ts'

/** Frames of silence after which the encoder's output no longer changes (measured). */
const SETTLING_FRAMES = 10
const MAX_PACKET_MS = 120
/** Settings by their numbers in opus_defines.h: OPUS_SET_BITRATE, _COMPLEXITY, _INBAND_FEC, _PACKET_LOSS_PERC. */
const CTL = { bitrate: 4_002, complexity: 4_010, inbandFec: 4_012, packetLoss: 4_014 } as const

export interface OpusSettings {
  /** 24 kb/s gives wideband speech without audible loss; the measurements were made with it. */
  readonly bitrate: number
  /** From 0 to 10. 5 costs 81 us a frame at 16 kHz, 9 costs 93 to 157 us for no clear gain on speech (measured). */
  readonly complexity: number
  /**
   * True for in-band FEC from the start; otherwise it follows the loss that the peer reports. It costs 20 to 50 % more
   * (measured).
   */
  readonly fec: boolean
}

/**
 * Bits a second while copies are sent. With 24 kb/s and up to 5 % of reported loss Opus sends no copies at all, and
 * above it takes their bits from the voice: at 5 % loss STOI rose from 0.948 to 0.979, at 10 % from 0.951 to 0.972
 * (measured, bench `networks`).
 */
const FEC_BITRATE = 32_000

export const DEFAULT_OPUS: OpusSettings = { bitrate: 24_000, complexity: 5, fec: false }

export interface OpusEncoder {
  readonly rateHz: RateHz
  /** Codes 20 ms of mono samples. Throws when the count is not rate/50. */
  encode(samples: Int16Array): Uint8Array
  /**
   * Adds a copy of each frame to the next packet, or stops adding it. `lossPercent` steers how many bits that may take.
   */
  setFec(isOn: boolean, lossPercent: number): void
}

/** Decodes one stream at one rate. It is silent until the decoder is loaded, which takes one turn of the event loop. */
export interface OpusDecoder {
  /** The samples of a packet. A packet that cannot be decoded is concealed for `samples48k`. */
  decode(packet: Uint8Array, samples48k: number): Int16Array
  /** The samples of the packet before `next`, from the copy in `next`. */
  recover(next: Uint8Array, samples48k: number): Int16Array
  /** Concealing samples that continue the last sound. */
  conceal(samples48k: number): Int16Array
  /** Frees the decoder's memory, which no garbage collector sees. Idempotent. */
  close(): void
}

/**
 * The part of Opus that the host needs. It codes and decodes at 8, 16, 24 and 48 kHz directly, so the live path has no
 * resampler.
 */
export interface OpusCodec {
  openEncoder(rateHz: RateHz): OpusEncoder
  openDecoder(rateHz: RateHz): OpusDecoder
  /** One packet of silence as the encoder at this rate makes it. An idle leg repeats it, so that nothing is coded. */
  silence(rateHz: RateHz): Uint8Array
}

/**
 * Loads the codec. Encoding is `@evan/opus` (native: 20 to 40 % less time than wasm); decoding is
 * `libopus-wasm`, whose 2 us more a frame buy concealment and FEC, which the native binding cannot
 * ask for (10 % loss: 19.3 dB with FEC, 9.8 dB concealed, 6.6 dB with silence; measured).
 */
export async function loadOpus(settings: OpusSettings = DEFAULT_OPUS): Promise<OpusCodec> {
  await loadLibopus()
  const binding = loadBinding()
  const silences = new Map<RateHz, Uint8Array>()
  return {
    openEncoder: (rateHz) => new VoiceEncoder(binding, rateHz, settings),
    openDecoder: (rateHz) => new LossyDecoder(rateHz),
    silence: (rateHz) => {
      const known = silences.get(rateHz)
      if (known) return known
      const packet = settledSilence(new VoiceEncoder(binding, rateHz, { ...settings, fec: false }))
      silences.set(rateHz, packet)
      return packet
    },
  }
}

type Binding = { readonly Encoder: typeof Encoder }

/**
 * Loads the native binding. It crashes the process when a worker thread that used it ends (measured), so worker threads
 * use its wasm twin, which is 10 to 30 % slower.
 */
function loadBinding(): Binding {
  const load = createRequire(import.meta.url)
  return load(isMainThread ? '@evan/opus' : '@evan/opus/wasm/index.js') as Binding
}

function settledSilence(encoder: VoiceEncoder): Uint8Array {
  const zeros = new Int16Array(samplesPerSlot(encoder.rateHz))
  let packet = encoder.encode(zeros)
  for (let i = 1; i < SETTLING_FRAMES; i++) packet = encoder.encode(zeros)
  return packet
}

class VoiceEncoder implements OpusEncoder {
  readonly rateHz: RateHz
  readonly #encoder: Encoder
  readonly #samples: number
  readonly #bitrate: number

  constructor(binding: Binding, rateHz: RateHz, settings: OpusSettings) {
    this.rateHz = rateHz
    this.#samples = samplesPerSlot(rateHz)
    this.#bitrate = settings.bitrate
    // Never AUDIO mode: at 24 kb/s it switches to CELT, which sounds wrong for speech and carries no FEC.
    this.#encoder = new binding.Encoder({ channels: 1, sample_rate: rateHz, application: 'voip' })
    this.#encoder.ctl(CTL.bitrate, settings.bitrate)
    this.#encoder.ctl(CTL.complexity, settings.complexity)
    if (settings.fec) this.setFec(true, 10)
  }

  encode(samples: Int16Array): Uint8Array {
    if (samples.length !== this.#samples) throw new RangeError('a frame is 20 ms of samples')
    return this.#encoder.encode(samples)
  }

  setFec(isOn: boolean, lossPercent: number): void {
    this.#encoder.ctl(CTL.bitrate, isOn ? Math.max(FEC_BITRATE, this.#bitrate) : this.#bitrate)
    this.#encoder.ctl(CTL.inbandFec, isOn ? 1 : 0)
    this.#encoder.ctl(CTL.packetLoss, isOn ? lossPercent : 0)
  }
}

class LossyDecoder implements OpusDecoder {
  readonly #rateHz: RateHz
  #decoder: OpusDecoderHandle | null = null
  #isClosed = false

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
    void this.#open()
  }

  decode(packet: Uint8Array, samples48k: number): Int16Array {
    if (!this.#decoder) return this.#zeros(samples48k)
    try {
      const samples = this.#decoder.decode(packet)
      return samples.length === this.#count(samples48k) ? samples : this.conceal(samples48k)
    } catch {
      return this.conceal(samples48k)
    }
  }

  recover(next: Uint8Array, samples48k: number): Int16Array {
    if (!this.#decoder) return this.#zeros(samples48k)
    try {
      return this.#decoder.decode(next, { decodeFec: true, frameSize: this.#count(samples48k) })
    } catch {
      return this.conceal(samples48k)
    }
  }

  conceal(samples48k: number): Int16Array {
    if (!this.#decoder) return this.#zeros(samples48k)
    return this.#decoder.decodePacketLoss(this.#count(samples48k))
  }

  close(): void {
    this.#isClosed = true
    this.#decoder?.free()
    this.#decoder = null
  }

  async #open(): Promise<void> {
    const decoder = await createDecoder({
      channels: 1,
      sampleRate: this.#rateHz,
      maxFrameSize: (this.#rateHz * MAX_PACKET_MS) / 1_000,
    })
    if (this.#isClosed) decoder.free()
    else this.#decoder = decoder
  }

  #count(samples48k: number): number {
    return (samples48k * this.#rateHz) / OPUS_CLOCK_HZ
  }

  #zeros(samples48k: number): Int16Array {
    return new Int16Array(this.#count(samples48k))
  }
}

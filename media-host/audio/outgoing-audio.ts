import type { OutgoingFrame, RateHz } from './frame.ts'
import type { OpusCodec, OpusEncoder } from './opus.ts'
import { DigitSender } from './telephone-event.ts'

/**
 * RTP ticks of a 20 ms slot: 960 at Opus' 48 kHz, at every PCM rate and never by the wall clock (RFC 7587 section 4.1).
 */
const SLOT_TICKS = 960
/**
 * Silence longer than 200 ms is no longer coded but sent as one ready packet, because half of a call is listening, and
 * coding is its dearest part (measured).
 */
const CODED_SILENCE_SLOTS = 10
/**
 * FEC goes on at 3 % of reported loss, and off after 10 s below 1 %. Our choice: it costs 20 to 50 % of coding and is
 * heard only where packets are lost.
 */
const FEC_ON_PERCENT = 3
const FEC_OFF_PERCENT = 1
const FEC_OFF_SLOTS = 500

export interface RtpOut {
  readonly payload: Uint8Array
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly marker: boolean
}

/** Payload types as negotiated. `event` is null when the peer takes no telephone events. */
export interface PayloadTypes {
  readonly opus: number
  readonly event: { readonly type: number; readonly clockHz: number } | null
}

export interface OutgoingStart {
  readonly sequence: number
  readonly timestamp: number
}

/** The audio to the peer: one frame in and one packet out for each slot, on an unbroken clock. */
export class OutgoingAudio {
  readonly #codec: OpusCodec
  readonly #digits = new DigitSender()
  #encoder: OpusEncoder | null = null
  #sequence: number
  #timestamp: number
  #silentSlots = CODED_SILENCE_SLOTS
  #isSpurtStart = true
  #fec = { isOn: false, lossPercent: 0, calmSlots: 0 }
  #sentFrames = 0

  /** `start` has the random first numbers of RFC 3550 section 5.1. */
  constructor(codec: OpusCodec, start: OutgoingStart) {
    this.#codec = codec
    this.#sequence = start.sequence & 0xffff
    this.#timestamp = start.timestamp >>> 0
  }

  get isSendingDigits(): boolean {
    return this.#digits.isBusy
  }

  /** Packets sent, audio and digits. */
  get sentFrames(): number {
    return this.#sentFrames
  }

  /** RTP time of the next slot, which a sender report names. */
  get timestamp(): number {
    return this.#timestamp
  }

  queueDigits(digits: string): boolean {
    return this.#digits.queue(digits)
  }

  /** The packet of this slot; null while the one before lasts, and during the rest of the pause after a digit. */
  next(frame: OutgoingFrame, types: PayloadTypes): RtpOut | null {
    this.#calmFec()
    const timestamp = this.#timestamp
    this.#timestamp = (timestamp + SLOT_TICKS) >>> 0
    if (this.#digits.isBusy && types.event) return this.#nextEvent(timestamp, types.event)
    if (frame.kind === 'held') return null
    const payload = this.#code(frame)
    const marker = this.#isSpurtStart
    this.#isSpurtStart = false
    this.#sentFrames++
    return { payload, payloadType: types.opus, sequence: this.#takeSequence(), timestamp, marker }
  }

  /** Moves the timestamp over slots that were missed. */
  skip(slots: number): void {
    this.#timestamp = (this.#timestamp + slots * SLOT_TICKS) >>> 0
    this.#digits.skip(slots)
    this.#isSpurtStart = true
  }

  /** Adapts to the share of our packets that the peer lost (RTCP), 0 to 1. */
  reportLoss(fraction: number): void {
    const percent = Math.round(fraction * 100)
    if (percent >= FEC_ON_PERCENT) {
      const lossPercent = Math.min(25, percent)
      if (!this.#fec.isOn || this.#fec.lossPercent !== lossPercent) this.#encoder?.setFec(true, lossPercent)
      this.#fec = { isOn: true, lossPercent, calmSlots: 0 }
    } else if (percent > FEC_OFF_PERCENT) {
      this.#fec.calmSlots = 0
    }
  }

  #nextEvent(timestamp: number, event: { type: number; clockHz: number }): RtpOut | null {
    const packet = this.#digits.next(event.clockHz)
    this.#isSpurtStart = true
    if (!packet) return null
    this.#sentFrames++
    const started = (timestamp - packet.startSlots * SLOT_TICKS) >>> 0
    return {
      payload: packet.payload,
      payloadType: event.type,
      sequence: this.#takeSequence(),
      timestamp: started,
      marker: packet.isFirst,
    }
  }

  #code(frame: Exclude<OutgoingFrame, { kind: 'held' }>): Uint8Array {
    if (frame.kind === 'opus') {
      this.#noteSpeech()
      return frame.packet
    }
    if (frame.kind === 'pcm') {
      this.#noteSpeech()
      return this.#encoderAt(frame.rateHz).encode(frame.samples)
    }
    this.#silentSlots++
    if (!this.#encoder || this.#silentSlots > CODED_SILENCE_SLOTS)
      return this.#codec.silence(this.#encoder?.rateHz ?? 16_000)
    return this.#encoder.encode(zeros(this.#encoder.rateHz))
  }

  #noteSpeech(): void {
    if (this.#silentSlots >= CODED_SILENCE_SLOTS) this.#isSpurtStart = true
    this.#silentSlots = 0
  }

  #encoderAt(rateHz: RateHz): OpusEncoder {
    if (this.#encoder?.rateHz === rateHz) return this.#encoder
    this.#encoder = this.#codec.openEncoder(rateHz)
    if (this.#fec.isOn) this.#encoder.setFec(true, this.#fec.lossPercent)
    return this.#encoder
  }

  #calmFec(): void {
    if (!this.#fec.isOn || ++this.#fec.calmSlots < FEC_OFF_SLOTS) return
    this.#fec = { isOn: false, lossPercent: 0, calmSlots: 0 }
    this.#encoder?.setFec(false, 0)
  }

  #takeSequence(): number {
    const sequence = this.#sequence
    this.#sequence = (sequence + 1) & 0xffff
    return sequence
  }
}

function zeros(rateHz: RateHz): Int16Array {
  return new Int16Array(rateHz / 50)
}

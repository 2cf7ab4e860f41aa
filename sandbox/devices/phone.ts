import { randomInt } from 'node:crypto'
import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Voice } from './behaviours.ts'
import { DigitQueue, DigitReader, type HeardDigit } from './phone-dtmf.ts'
import { Ear } from './phone-ear.ts'
import { createMouth, type Mouth } from './phone-mouth.ts'
import { FRAME_SAMPLES, OPUS_CLOCK_HZ, type Sounds } from './phone-opus.ts'
import type { Ticker } from './phone-ticker.ts'
import type { NetworkFaults } from './impairment.ts'
import type { PhoneLeg, PhoneLegEvents } from './phone-leg.ts'
import { openRawPhoneLeg } from './phone-raw.ts'
import { openIceLitePhoneLeg, openWebRtcPhoneLeg } from './phone-webrtc.ts'

/** Up to 100 ms of missed slots are caught up; after a longer stall the timestamps skip them. */
const MAX_CATCH_UP_SLOTS = 5

/** How a phone is reached; `platform`: through the official platform's server. */
export type PhoneKind = CallMediaKind | 'platform'

const OPEN_LEG: Readonly<Record<PhoneKind, (events: PhoneLegEvents) => PhoneLeg>> = {
  webrtc: openWebRtcPhoneLeg,
  pcm16: openRawPhoneLeg,
  platform: openIceLitePhoneLeg,
}

export interface PhoneParts {
  readonly clock: Clock
  readonly ticker: Ticker
  readonly sounds: Sounds
  /** The media connection broke under the call. */
  lost(): void
}

/**
 * One phone in one call: real WebRTC, or raw audio as engines with audio of their own have it, a mouth that speaks by
 * its voice, an ear that measures.
 */
export class Phone {
  readonly ear: Ear
  /** Digits heard, in order. */
  readonly digits: HeardDigit[] = []
  readonly #parts: PhoneParts
  readonly #leg: PhoneLeg
  readonly #mouth: Mouth | null
  readonly #digitQueue = new DigitQueue()
  readonly #digitReader = new DigitReader()
  #timestamp = randomInt(0x7fffffff)
  #eventTimestamp = 0
  #sentSamples = 0
  #isTalkspurt = false
  /** The phone at the other end of a line, when a number calls another one. */
  #other: Phone | null = null
  #stopTicking: (() => void) | null = null

  private constructor(voice: Voice, ear: Ear, parts: PhoneParts, kind: PhoneKind) {
    this.ear = ear
    this.#parts = parts
    this.#mouth = createMouth(voice, parts.sounds)
    this.#leg = OPEN_LEG[kind]({
      audio: (payload, timestamp) => this.#hear(payload, timestamp),
      event: (payload, timestamp, clockHz) => this.#hearDigit(payload, timestamp, clockHz),
      digit: (digit) => void this.digits.push(digit),
      lost: () => {
        this.#stopSpeaking()
        parts.lost()
      },
    })
  }

  /** Makes a phone, which must be closed. */
  static async open(voice: Voice, parts: PhoneParts, kind: PhoneKind = 'webrtc'): Promise<Phone> {
    return new Phone(voice, await Ear.open(), parts, kind)
  }

  /** Audio sent so far, ms, silence included. */
  get sentMs(): number {
    return Math.round((this.#sentSamples * 1_000) / OPUS_CLOCK_HZ)
  }

  offer(): Promise<string> {
    return this.#leg.offer()
  }

  answer(sdpOffer: string): Promise<string> {
    return this.#leg.answer(sdpOffer)
  }

  connect(sdpAnswer: string): Promise<void> {
    return this.#leg.connect(sdpAnswer)
  }

  /** Joins two phones to a line: each says what the other one hears, and presses the keys that it does. */
  join(other: Phone): void {
    this.#other = other
    other.#other = this
  }

  /** Begins to speak, as soon as the media connection is up. */
  start(): void {
    this.#stopTicking ??= this.#parts.ticker.add((slots) => this.#tick(slots))
  }

  /** Presses keys. False when the far end negotiated no telephone events or the media does not flow. */
  press(digits: string): boolean {
    if (this.#leg.eventClockHz === null || !this.#leg.isConnected) return false
    this.#digitQueue.add(digits)
    return true
  }

  /** Breaks its audio off; it is connected again after `awayMs`. False when nothing can drop. */
  dropMedia(awayMs: number): boolean {
    return this.#leg.drop(awayMs)
  }

  /** Makes its network bad, or good again. False when its audio is not packets. */
  impair(faults: NetworkFaults): boolean {
    return this.#leg.impair(faults)
  }

  /** Goes on from another port. False when its audio is not packets, or does not flow yet. */
  changeAddress(): Promise<boolean> {
    return this.#leg.changeAddress()
  }

  /** Numbers its packets anew, and gives its description then (PhoneLeg). */
  renumber(opusType: number | null): string | null {
    return this.#leg.renumber(opusType)
  }

  /** Hangs up; what was heard stays. Idempotent. */
  close(): void {
    this.#stopSpeaking()
    this.#leg.close()
    this.ear.close()
  }

  #stopSpeaking(): void {
    this.#stopTicking?.()
    this.#stopTicking = null
  }

  #tick(slots: number): void {
    if (!this.#leg.isConnected) return
    const missed = slots > MAX_CATCH_UP_SLOTS ? slots - 1 : 0
    this.#timestamp += missed * FRAME_SAMPLES
    for (let slot = missed; slot < slots; slot++) this.#speak()
  }

  #speak(): void {
    const event = this.#digitQueue.next(this.#leg.eventClockHz ?? OPUS_CLOCK_HZ)
    if (event) {
      if (event.isFirst) this.#eventTimestamp = this.#timestamp
      event.payloads.forEach((payload) => this.#leg.sendEvent(payload, this.#eventTimestamp, event.isFirst))
      this.#leg.passSlot()
      this.#timestamp += FRAME_SAMPLES
      this.#isTalkspurt = false
      return
    }
    if (!this.#mouth) {
      this.#timestamp += FRAME_SAMPLES
      return
    }
    for (const { payload, samples } of this.#mouth.next()) {
      this.#leg.sendAudio(payload, this.#timestamp, !this.#isTalkspurt)
      this.#isTalkspurt = true
      this.#timestamp += samples
      this.#sentSamples += samples
    }
  }

  #hear(payload: Uint8Array, timestamp: number): void {
    const { clock } = this.#parts
    const isSilent = this.ear.hear({ payload, timestamp, nowMs: clock.now(), monotonicMs: clock.monotonicMs() })
    if (isSilent !== null) (this.#other ?? this).#mouth?.hear(payload, isSilent)
  }

  #hearDigit(payload: Uint8Array, timestamp: number, clockHz: number): void {
    this.ear.passDigit()
    const digit = this.#digitReader.read(payload, timestamp, clockHz)
    if (!digit) return
    this.digits.push(digit)
    this.#other?.press(digit.digit)
  }
}

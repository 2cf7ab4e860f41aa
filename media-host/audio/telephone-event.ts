import { SLOT_MS } from './frame.ts'

/** Digits as RFC 4733 telephone events: sending one 20 ms slot at a time, and hearing them. */

const DIGITS = '0123456789*#ABCD'
/** Contract of the leg: events of 100 ms with pauses of 60 ms, which every detector accepts. */
const EVENT_SLOTS = 5
const PAUSE_SLOTS = 3
/** RFC 4733 section 2.5.1.4: the last packet goes out three times. */
const END_COPIES = 3
/** RFC 4733 section 2.3.3: volume in -dBm0; 10 is the customary one. */
const VOLUME = 10
/** Our choice: digits waiting at once, over two minutes of them. */
const MAX_QUEUED = 1_000
/** RFC 4733 section 2.5.2.2: an event without packets for three packet times has ended. */
const SILENT_SLOTS = 5

/** A packet of an event. `startSlots`: how many slots ago the event began, since all its packets carry that timestamp. */
export interface EventPacket {
  readonly payload: Uint8Array
  readonly startSlots: number
  readonly isFirst: boolean
}

/** Sends digits, one slot at a time. */
export class DigitSender {
  #queue: number[] = []
  #slot = 0
  /** Slots that a stalled process missed of the digit under way, and did not make up for by leaving packets out. */
  #late = 0

  /** True while a digit or the pause after it is going out. */
  get isBusy(): boolean {
    return this.#queue.length > 0
  }

  /** Queues digits; false when one is not 0-9 * # A-D, none is there, or too many wait. */
  queue(digits: string): boolean {
    const events = [...digits.toUpperCase()].map((digit) => DIGITS.indexOf(digit))
    if (events.length === 0 || events.includes(-1) || this.#queue.length + events.length > MAX_QUEUED) return false
    this.#queue.push(...events)
    return true
  }

  /** The packet of this slot, if one goes out; call only while busy. `clockHz`: of the negotiated telephone-event. */
  next(clockHz: number): EventPacket | null {
    const event = this.#queue[0]
    if (event === undefined) return null
    const slot = this.#slot
    const packet = slot < EVENT_SLOTS + END_COPIES - 1
      ? { payload: encode(event, slot >= EVENT_SLOTS - 1, Math.min(slot + 1, EVENT_SLOTS), clockHz), startSlots: slot + this.#late, isFirst: slot === 0 }
      : null
    this.#slot++
    if (this.#slot === EVENT_SLOTS + PAUSE_SLOTS) {
      this.#queue.shift()
      this.#slot = 0
      this.#late = 0
    }
    return packet
  }

  /**
   * Counts slots that a stalled process missed, so that the timestamp of an event under way stays what it was. Packets are left out for them but never all
   * that tell its end: a receiver may wait for that, and lose the digit.
   */
  skip(slots: number): void {
    if (this.#slot === 0) return
    const last = this.#slot < EVENT_SLOTS ? EVENT_SLOTS - 1 : EVENT_SLOTS + PAUSE_SLOTS - 1
    const to = Math.min(this.#slot + slots, last)
    this.#late += slots - (to - this.#slot)
    this.#slot = to
  }
}

function encode(event: number, isEnd: boolean, slots: number, clockHz: number): Uint8Array {
  const duration = slots * SLOT_MS * clockHz / 1_000
  return Uint8Array.of(event, (isEnd ? 0x80 : 0) | VOLUME, duration >> 8, duration & 0xff)
}

/** Hears digits. Every event is reported once, at its end, however many of its packets were lost. */
export class DigitReceiver {
  readonly #onDigit: (digit: string, durationMs: number) => void
  #open: { timestamp: number, event: number, durationMs: number, silentSlots: number } | null = null
  #lastReported: number | null = null

  constructor(onDigit: (digit: string, durationMs: number) => void) {
    this.#onDigit = onDigit
  }

  /** Takes a telephone-event packet. Malformed ones and events that are no digits are ignored. */
  push(payload: Uint8Array, timestamp: number, clockHz: number): void {
    const [event, flags, high, low] = payload
    if (event === undefined || flags === undefined || high === undefined || low === undefined || event >= DIGITS.length) return
    if (timestamp === this.#lastReported) return
    if (this.#open && this.#open.timestamp !== timestamp) this.#report()
    const durationMs = Math.round((high << 8 | low) * 1_000 / clockHz)
    const longestMs = Math.max(durationMs, this.#open?.durationMs ?? 0)
    this.#open = { timestamp, event, durationMs: longestMs, silentSlots: 0 }
    if (flags & 0x80) this.#report()
  }

  /** Call once a slot: ends an event whose last packets were lost. */
  tick(): void {
    if (this.#open && ++this.#open.silentSlots >= SILENT_SLOTS) this.#report()
  }

  #report(): void {
    if (!this.#open) return
    const { event, durationMs, timestamp } = this.#open
    this.#open = null
    this.#lastReported = timestamp
    this.#onDigit(DIGITS.charAt(event), durationMs)
  }
}

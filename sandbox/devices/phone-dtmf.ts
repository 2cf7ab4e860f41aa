/** Telephone events (RFC 4733): digits as RTP payloads of their own. */

const DIGITS = '0123456789*#ABCD'
/** RFC 4733 2.5.1.4: the last packet of an event is sent three times. */
const END_REPEATS = 3
/**
 * Slots of 20 ms that a digit and the pause after it last: 100 and 60 ms, which exchanges accept (ITU-T Q.24 asks for
 * 40 each).
 */
const DIGIT_SLOTS = 5
const PAUSE_SLOTS = 3
const SLOT_MS = 20
const END_BIT = 0x80
/** Volume in -dBm0. */
const VOLUME = 10

export interface HeardDigit {
  readonly digit: string
  readonly durationMs: number
}

function eventPayload(digit: string, durationMs: number, clockHz: number, isEnd: boolean): Uint8Array {
  const duration = Math.round((durationMs * clockHz) / 1_000)
  return Uint8Array.of(DIGITS.indexOf(digit), (isEnd ? END_BIT : 0) | VOLUME, duration >> 8, duration & 0xff)
}

/** True when every character is a digit that can be sent: 0-9 * # A-D. */
export function areDigits(text: string): boolean {
  return text.length > 0 && [...text.toUpperCase()].every((digit) => DIGITS.includes(digit))
}

/** Payloads of one slot, which all carry the timestamp of the event's first slot. */
export interface EventSlot {
  readonly isFirst: boolean
  readonly payloads: readonly Uint8Array[]
}

/** Digits waiting to be sent, one slot at a time. */
export class DigitQueue {
  #waiting: string[] = []
  #slot = 0

  add(digits: string): void {
    this.#waiting.push(...digits.toUpperCase())
  }

  /** The event of this slot, or null when no digit is being sent. */
  next(clockHz: number): EventSlot | null {
    const digit = this.#waiting[0]
    if (digit === undefined) return null
    const slot = this.#slot++
    if (this.#slot === DIGIT_SLOTS + PAUSE_SLOTS) {
      this.#slot = 0
      this.#waiting.shift()
    }
    if (slot >= DIGIT_SLOTS) return { isFirst: false, payloads: [] }
    const isEnd = slot === DIGIT_SLOTS - 1
    const payload = eventPayload(digit, (slot + 1) * SLOT_MS, clockHz, isEnd)
    return { isFirst: slot === 0, payloads: Array.from({ length: isEnd ? END_REPEATS : 1 }, () => payload) }
  }
}

/** Collects events into digits. An event counts once, whatever packets are repeated or lost. */
export class DigitReader {
  #current: { timestamp: number; digit: string; durationMs: number; isCounted: boolean } | null = null

  /** Answers a digit when this packet ends one, or shows that an earlier one ended unseen. */
  read(payload: Uint8Array, timestamp: number, clockHz: number): HeardDigit | null {
    const [event, flags, high, low] = payload
    if (event === undefined || flags === undefined || high === undefined || low === undefined) return null
    const digit = DIGITS[event]
    if (digit === undefined) return null
    const durationMs = Math.round((((high << 8) | low) * 1_000) / clockHz)
    const unfinished = this.#current?.timestamp === timestamp ? null : this.#finish()
    this.#current =
      this.#current?.timestamp === timestamp
        ? { ...this.#current, durationMs }
        : { timestamp, digit, durationMs, isCounted: false }
    return unfinished ?? ((flags & END_BIT) === 0 ? null : this.#finish())
  }

  #finish(): HeardDigit | null {
    if (!this.#current || this.#current.isCounted) return null
    this.#current.isCounted = true
    return { digit: this.#current.digit, durationMs: this.#current.durationMs }
  }
}

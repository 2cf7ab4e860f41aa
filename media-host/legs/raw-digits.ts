import { areDigits } from './raw-messages.ts'

/** As over RTP (telephone-event.ts): 100 ms a digit, 60 ms of pause behind it. */
const DIGIT_SLOTS = 5
const PAUSE_SLOTS = 3
/** Ms a digit is told to last. */
export const DIGIT_MS = 100
/** Our choice, as over RTP: more digits than anybody dials. */
const MAX_WAITING = 1_000

/** Digits on their way out, a slot at a time, so that they keep their order with the audio around them. */
export class RawDigits {
  #waiting: string[] = []
  #slot = 0

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  /** False when the text is none of digits, or too many wait. */
  queue(digits: string): boolean {
    if (!areDigits(digits) || this.#waiting.length + digits.length > MAX_WAITING) return false
    this.#waiting.push(...digits.toUpperCase())
    return true
  }

  /** The digit that begins in this slot; null in the rest of it, in its pause, and without one. */
  next(): string | null {
    const [digit] = this.#waiting
    if (digit === undefined) return null
    const isFirst = this.#slot++ === 0
    if (this.#slot === DIGIT_SLOTS + PAUSE_SLOTS) {
      this.#slot = 0
      this.#waiting.shift()
    }
    return isFirst ? digit : null
  }
}

import {
  ABUSE_MS,
  CLOSE,
  FULL_INTERVAL_MS,
  MAX_INVALID_MESSAGES,
  MAX_MESSAGES_PER_SECOND,
  MAX_UNKNOWN_MESSAGES,
  UNKNOWN_WINDOW_MS,
} from './protocol.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { BufferState } from '../playback/playout-items.ts'
import type { CloseCode } from './protocol.ts'

/** A reason to close a session, with the words for its client. */
export interface Breach {
  readonly code: CloseCode
  readonly name: string
  readonly message: string
}

const RATE: Breach = {
  code: CLOSE.rate,
  name: 'RATE',
  message: `more than ${MAX_MESSAGES_PER_SECOND} messages in a second`,
}
const BAD_PROTOCOL: Breach = {
  code: CLOSE.badProtocol,
  name: 'BAD_PROTOCOL',
  message: `${MAX_INVALID_MESSAGES} invalid messages`,
}
const BUFFER_ABUSE: Breach = {
  code: CLOSE.bufferAbuse,
  name: 'BUFFER_ABUSE',
  message: 'audio kept coming for 30 s after the buffer was full',
}

/**
 * Counts what one client may do ([realtime.closing.8] [realtime.closing.14] [realtime.closing.15]). Each method answers
 * a breach, or null.
 */
export class SessionLimits {
  readonly #clock: Clock
  #windowAtMs = Number.NEGATIVE_INFINITY
  #inWindow = 0
  #invalid = 0
  #unknownSinceMs = Number.NEGATIVE_INFINITY
  #unknown = 0
  #fullSinceMs: number | null = null
  #fullToldAtMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  message(): Breach | null {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#windowAtMs >= 1_000) {
      this.#windowAtMs = nowMs
      this.#inWindow = 0
    }
    return ++this.#inWindow > MAX_MESSAGES_PER_SECOND ? RATE : null
  }

  invalid(): Breach | null {
    return ++this.#invalid >= MAX_INVALID_MESSAGES ? BAD_PROTOCOL : null
  }

  /** Counts a message of an unknown type: harmless now and then, invalid in hundreds. */
  unknown(): Breach | null {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#unknownSinceMs >= UNKNOWN_WINDOW_MS) {
      this.#unknownSinceMs = nowMs
      this.#unknown = 0
    }
    return ++this.#unknown > MAX_UNKNOWN_MESSAGES ? this.invalid() : null
  }

  /**
   * Notes a `buffer` state. Our choice: audio that is still refused 30 s after the first refusal, with no `ok` in
   * between, is abuse; waiting at `full` is not.
   */
  buffer(state: BufferState): Breach | null {
    const nowMs = this.#clock.monotonicMs()
    if (state !== 'full') {
      if (state === 'ok') this.#fullSinceMs = null
      return null
    }
    this.#fullSinceMs ??= nowMs
    return nowMs - this.#fullSinceMs >= ABUSE_MS ? BUFFER_ABUSE : null
  }

  /** True when `full` may be told now: at most once a second. */
  mayTellFull(): boolean {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#fullToldAtMs < FULL_INTERVAL_MS) return false
    this.#fullToldAtMs = nowMs
    return true
  }
}

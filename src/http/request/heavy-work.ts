import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { BodyRooms } from './body-rooms.ts'

/**
 * our choice, in bytes: a smaller body is parsed within a millisecond; the largest, with all the values it may hold,
 * takes tens of them (measured).
 */
const HEAVY_BYTES = 32_768
/** our choice: after heavy work the event loop is free for this many times as long. */
const REST = 3
const RETRY_SECONDS = 5

/**
 * Parses heavy bodies one after another, callers in turn, within a quarter of the event loop's time, so that other
 * requests are served in between.
 */
export class HeavyWork {
  readonly #clock: Clock
  readonly #turn: BodyRooms

  constructor(clock: Clock) {
    this.#clock = clock
    this.#turn = new BodyRooms(
      { mostBytes: 1, mostBytesPerCaller: 1, mostWaiting: 1_000, mostWaitingPerCaller: 64, waitMs: 20_000 },
      clock,
    )
  }

  /** Whether a body is large enough to need its turn. */
  static isHeavy(body: Buffer | undefined): boolean {
    return body !== undefined && body.length > HEAVY_BYTES
  }

  /**
   * Does the work when it is the caller's turn. Rejects with what the work throws, and with 503 BUSY when too much
   * waits.
   */
  async run<T>(caller: string, work: () => T): Promise<T> {
    const leave = await this.#turn.enter(caller, 1, new AbortController().signal)
    if (!leave)
      throw new RefusalError(
        refuse('BUSY', 'Too many large requests are being read. Try again.', undefined, RETRY_SECONDS),
      )
    const fromMs = this.#clock.monotonicMs()
    try {
      return work()
    } finally {
      const tookMs = this.#clock.monotonicMs() - fromMs
      if (tookMs > 0) this.#clock.after(tookMs * REST, leave)
      else leave()
    }
  }
}

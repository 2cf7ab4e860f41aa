import type { Clock, Timer } from '../ports/clock.ts'

/** Our choice: a store that fails is tried again after 100 ms, then each time after twice the pause. */
const BACKOFF_MS = 100
const BACKOFF_MAX_MS = 10_000

export interface LoopOptions {
  readonly clock: Clock
  /**
   * Runs one round. Answers the ms until the next one unless the loop is woken before; 0 goes on at once, `Infinity`
   * waits to be woken.
   */
  readonly step: () => Promise<number>
  readonly onError: (error: unknown) => void
  /** Least ms from the end of a round to a woken one: what comes in meanwhile shares a transaction. Default 0. */
  readonly gatherMs?: number
}

/** Repeats a step, one at a time, for ever: a step that throws is repeated with growing pauses. */
export class Loop {
  readonly #options: LoopOptions
  #running: Promise<void> | null = null
  #timer: Timer | null = null
  #dueMs = Infinity
  #notBeforeMs = -Infinity
  #faults = 0
  #isStopped = false

  constructor(options: LoopOptions) {
    this.#options = options
  }

  /** Lets the next round begin within `withinMs`, or later when `gatherMs` or the pause after an error lasts longer. */
  wake(withinMs: number = 0): void {
    if (this.#isStopped) return
    const { clock } = this.#options
    const atMs = Math.max(clock.monotonicMs() + withinMs, this.#notBeforeMs)
    if (atMs >= this.#dueMs) return
    this.#dueMs = atMs
    // A round under way reads the new time when it ends.
    if (!this.#running) this.#schedule()
  }

  /** Stops the loop after the round under way. Idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#running
  }

  #schedule(): void {
    this.#timer?.cancel()
    if (this.#dueMs === Infinity) return
    const delayMs = this.#dueMs - this.#options.clock.monotonicMs()
    const begin = () => {
      this.#running = this.#rounds()
    }
    if (delayMs <= 0) begin()
    else this.#timer = this.#options.clock.after(delayMs, begin)
  }

  async #rounds(): Promise<void> {
    const { clock, gatherMs = 0 } = this.#options
    do {
      this.#dueMs = Infinity
      const pauseMs = await this.#round()
      const nowMs = clock.monotonicMs()
      this.#notBeforeMs = nowMs + (this.#faults > 0 ? pauseMs : pauseMs === 0 ? 0 : gatherMs)
      this.#dueMs = Math.max(Math.min(this.#dueMs, nowMs + pauseMs), this.#notBeforeMs)
    } while (!this.#isStopped && this.#dueMs <= clock.monotonicMs())
    this.#running = null
    if (!this.#isStopped) this.#schedule()
  }

  async #round(): Promise<number> {
    try {
      const pauseMs = await this.#options.step()
      this.#faults = 0
      return pauseMs
    } catch (error) {
      this.#options.onError(error)
      this.#faults++
      return Math.min(BACKOFF_MS * 2 ** (this.#faults - 1), BACKOFF_MAX_MS)
    }
  }
}

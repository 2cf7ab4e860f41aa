import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/** Our choice: how often it is tried again, and how many writes may wait. */
const PAUSE_MS = 1_000
const MOST_WAITING = 10_000

interface Waiting {
  readonly write: () => Promise<void>
  /** Monotonic ms after which somebody else may have the claim. */
  readonly untilMs: number
}

/**
 * Writes about first answers that the database was away for: made once it is back, in their order, as long as they are
 * true.
 */
export class AnswersLater {
  readonly #clock: Clock
  readonly #log: Log
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Has the write made before `untilMs` (monotonic), or not at all. */
  add(write: () => Promise<void>, untilMs: number): void {
    if (this.#waiting.length >= MOST_WAITING) return this.#log.error({}, 'idempotent answer could not be kept')
    this.#waiting.push({ write, untilMs })
    if (!this.#isBusy) this.#again()
  }

  #again(): void {
    this.#isBusy = true
    this.#clock.after(PAUSE_MS, () => void this.#drain())
  }

  async #drain(): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const isTimely = next.untilMs > this.#clock.monotonicMs()
      if (isTimely && !(await made(next.write))) return this.#again()
      this.#waiting.shift()
      if (!isTimely) this.#log.error({}, 'idempotent answer could not be kept')
    }
    this.#isBusy = false
  }
}

function made(write: () => Promise<void>): Promise<boolean> {
  return write().then(
    () => true,
    () => false,
  )
}

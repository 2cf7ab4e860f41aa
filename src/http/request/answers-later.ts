import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/** our choice: ms between two tries, and how many writes may wait. */
const PAUSE_MS = 1_000
const MOST_WAITING = 10_000

interface Waiting {
  readonly write: () => Promise<void>
  /** Monotonic ms after which another request may have the claim. */
  readonly untilMs: number
}

/**
 * Writes of first answers that the database was away for. They are made in order once it is back, unless their claim
 * may have gone to another request by then.
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

  /** Queues a write, which is made before `untilMs` (monotonic ms), or never. */
  add(write: () => Promise<void>, untilMs: number): void {
    if (this.#waiting.length >= MOST_WAITING)
      return this.#log.error(
        {},
        'the answer to a request with an Idempotency-Key was not stored; a repetition does not get it',
      )
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
      if (!isTimely)
        this.#log.error(
          {},
          'the answer to a request with an Idempotency-Key was not stored; a repetition does not get it',
        )
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

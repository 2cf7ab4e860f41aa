import { StoreAway } from '../domain/store-away.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Our choice, in ms: 500 ms, so that a commit on another node shows well within 1 s ([embeds.stream.5]). */
const LOOK_MS = 500
/** Our choice, in ms: the pause between two looks under load; what is stored meanwhile shares the next look. */
const PAUSE_MS = 50

export interface LooksDeps {
  readonly clock: Clock
  readonly log: Log
  /** What the log says when a look fails though the store is there. */
  readonly failed: string
  /** Whether anybody wants to be told; without that nothing is looked at. */
  readonly isWanted: () => boolean
  /** Looks once. `isAwaited` when a caller waits for what it finds. */
  readonly look: (isAwaited: boolean) => Promise<void>
  /** Called after each look, also after one that failed. */
  readonly over?: () => void
}

/** Looks at rows again and again while anybody wants to be told: soon after it is woken, and else every 500 ms. */
export class Looks {
  readonly #deps: LooksDeps
  /** Callers that wait for a look that has not begun. */
  #waiting: PromiseWithResolvers<void>[] = []
  #isDue = false
  #isLooking = false
  #isStopped = false
  #timer: Timer | null = null

  constructor(deps: LooksDeps) {
    this.#deps = deps
  }

  /** Makes the next look come soon. Returns at once. */
  wake(): void {
    if (!this.#deps.isWanted() || this.#isStopped) return
    this.#isDue = true
    if (!this.#isLooking) this.#schedule(0)
  }

  /** Resolves when a look is over that began after this call. Rejects when that look failed. */
  next(): Promise<void> {
    if (this.#isStopped) return Promise.reject(new StoreAway('gone'))
    const waiting = Promise.withResolvers<void>()
    this.#waiting.push(waiting)
    this.wake()
    return waiting.promise
  }

  /** Ends looking; who waits is refused. Idempotent. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new StoreAway('gone'))
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel()
    this.#timer = this.#deps.clock.after(delayMs, () => void this.#work())
  }

  async #work(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return
    const { look, over, isWanted } = this.#deps
    this.#isLooking = true
    this.#isDue = false
    const waiting = this.#waiting.splice(0)
    try {
      await look(waiting.length > 0)
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      for (const { reject } of waiting) reject(error)
      this.#report(error)
    }
    this.#isLooking = false
    over?.()
    if (isWanted() && !this.#isStopped) this.#schedule(this.#waiting.length > 0 ? 0 : this.#isDue ? PAUSE_MS : LOOK_MS)
  }

  #report(error: unknown): void {
    if (error instanceof StoreAway) return
    const { log, failed } = this.#deps
    log.error({ errorName: error instanceof Error ? error.name : 'unknown' }, failed)
  }
}

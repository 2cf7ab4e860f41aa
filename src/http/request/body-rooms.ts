import { Tally } from '../../domain/tally.ts'
import { FairQueue } from '../../domain/turns.ts'
import type { Clock } from '../../ports/clock.ts'

export interface RoomLimits {
  /** Bytes of bodies in work, in all and for each caller. */
  readonly mostBytes: number
  readonly mostBytesPerCaller: number
  /** Requests that wait for room, in all and for each caller. */
  readonly mostWaiting: number
  readonly mostWaitingPerCaller: number
  readonly waitMs: number
}

interface Waiting {
  readonly bytes: number
  /** Ends the wait; true when there is room. */
  readonly settle: (isIn: boolean) => void
}

/**
 * Room for large bodies in work, bounded in all and for each caller. A request without room waits: callers take turns,
 * and each caller's requests keep their order. Nothing overtakes the request whose turn it is, so small bodies do not
 * keep a large one out.
 */
export class BodyRooms {
  readonly #limits: RoomLimits
  readonly #clock: Clock
  /** The requests that wait, by caller. */
  readonly #waiting: FairQueue<Waiting>
  readonly #inside = new Set<Waiting>()
  readonly #bytesOf = new Tally<string>()
  #bytes = 0

  constructor(limits: RoomLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
    this.#waiting = new FairQueue(limits.mostWaitingPerCaller, limits.mostWaiting)
  }

  /** Bytes of the bodies in work. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Waits for room. Resolves to a function that leaves it, which may be called more than once; null when there was no
   * room in time, too many wait, or `signal` ended the wait.
   */
  enter(caller: string, bytes: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        timer.cancel()
        signal.removeEventListener('abort', giveUp)
        resolve(isIn ? () => this.#leave(caller, waiting) : null)
      }
      const waiting: Waiting = { bytes, settle }
      const giveUp = (): void => {
        if (!this.#waiting.remove(caller, waiting)) return
        settle(false)
        this.#admit()
      }
      if (!this.#waiting.push(caller, waiting)) return resolve(null)
      const timer = this.#clock.after(this.#limits.waitMs, giveUp)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#admit()
    })
  }

  #leave(caller: string, waiting: Waiting): void {
    if (!this.#inside.delete(waiting)) return
    this.#count(caller, -waiting.bytes)
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [caller, waiting] = next
      this.#waiting.take(caller, waiting)
      this.#inside.add(waiting)
      this.#count(caller, waiting.bytes)
      waiting.settle(true)
    }
  }

  /** The request whose turn it is, null when there is no room for it. A caller at its own limit is passed over. */
  #next(): [caller: string, waiting: Waiting] | null {
    const { mostBytes, mostBytesPerCaller } = this.#limits
    for (const [caller, [first]] of this.#waiting.lines()) {
      if (!first || this.#bytesOf.of(caller) + first.bytes > mostBytesPerCaller) continue
      return this.#bytes + first.bytes > mostBytes ? null : [caller, first]
    }
    return null
  }

  #count(caller: string, bytes: number): void {
    this.#bytes += bytes
    this.#bytesOf.add(caller, bytes)
  }
}

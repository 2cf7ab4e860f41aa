import type { Clock, Timer } from '../../../src/ports/clock.ts'

interface Pending {
  /** Due on this clock's own monotonic time line, ms. */
  readonly dueMs: number
  readonly fire: () => void
  timer: Timer
}

/**
 * The time of the official platform: it runs like the clock below it and can be moved forward, so that rules of hours
 * and days show at once. Timers that fall due on the way fire in order of time.
 */
export class ShiftedClock implements Clock {
  readonly #base: Clock
  #shiftMs = 0
  #pending = new Set<Pending>()

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#base.now() + this.#shiftMs
  }

  monotonicMs(): number {
    return this.#base.monotonicMs() + this.#shiftMs
  }

  after(delayMs: number, fire: () => void): Timer {
    const dueMs = this.monotonicMs() + delayMs
    const pending: Pending = { dueMs, fire, timer: this.#base.after(delayMs, () => this.#fire(pending)) }
    this.#pending.add(pending)
    return { cancel: () => this.#cancel(pending) }
  }

  /** Moves time forward. */
  advance(byMs: number): void {
    const endMs = this.monotonicMs() + byMs
    for (let next = this.#nextDue(endMs); next; next = this.#nextDue(endMs)) {
      this.#moveTo(next.dueMs)
      this.#cancel(next)
      next.fire()
    }
    this.#moveTo(endMs)
    for (const pending of this.#pending) {
      pending.timer.cancel()
      pending.timer = this.#base.after(Math.max(0, pending.dueMs - this.monotonicMs()), () => this.#fire(pending))
    }
  }

  /** Returns to the time of the clock below, with no timer left. */
  reset(): void {
    for (const pending of this.#pending) pending.timer.cancel()
    this.#pending.clear()
    this.#shiftMs = 0
  }

  #fire(pending: Pending): void {
    if (this.#pending.delete(pending)) pending.fire()
  }

  #cancel(pending: Pending): void {
    pending.timer.cancel()
    this.#pending.delete(pending)
  }

  #moveTo(monotonicMs: number): void {
    this.#shiftMs += Math.max(0, monotonicMs - this.monotonicMs())
  }

  #nextDue(endMs: number): Pending | undefined {
    return [...this.#pending].filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0]
  }
}

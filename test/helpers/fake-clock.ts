import type { Clock, Timer } from '../../src/ports/clock.ts'

interface Pending {
  readonly dueMs: number
  readonly order: number
  readonly fire: () => void
}

/** A clock that moves only when a test moves it. Both of its times advance together. */
export class FakeClock implements Clock {
  #nowMs: number
  #monotonicMs = 0
  #order = 0
  #pending = new Set<Pending>()

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  after(delayMs: number, fire: () => void): Timer {
    const pending = { dueMs: this.#monotonicMs + delayMs, order: this.#order++, fire }
    this.#pending.add(pending)
    return { cancel: () => void this.#pending.delete(pending) }
  }

  /** Moves time forward and fires due timers on the way, in order of time. */
  advance(byMs: number): void {
    const end = this.#monotonicMs + byMs
    for (let next = this.#nextDue(end); next; next = this.#nextDue(end)) {
      this.#moveTo(next.dueMs)
      this.#pending.delete(next)
      next.fire()
    }
    this.#moveTo(end)
  }

  /** Simulates a process that does not run for a while: time moves first, then due timers fire late. */
  stall(byMs: number): void {
    const dueBy = this.#monotonicMs + byMs
    this.#moveTo(dueBy)
    for (let next = this.#nextDue(dueBy); next; next = this.#nextDue(dueBy)) {
      this.#pending.delete(next)
      next.fire()
    }
  }

  #moveTo(monotonicMs: number): void {
    this.#nowMs += monotonicMs - this.#monotonicMs
    this.#monotonicMs = monotonicMs
  }

  #nextDue(endMs: number): Pending | undefined {
    return [...this.#pending]
      .filter((pending) => pending.dueMs <= endMs)
      .toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0]
  }
}

import type { Timer } from '../src/ports/clock.ts'
import { untilIdle } from './idle.ts'

interface Entry {
  readonly atMs: number
  readonly order: number
  readonly fire: () => void
  isOver: boolean
}

/** The one time of a simulation, in ms from its start. It moves only when nothing is left to do at its present. */
export class Timeline {
  nowMs = 0
  #order = 0
  /** A binary heap: no entry is later than those below it. */
  readonly #heap: Entry[] = []

  /** Calls `fire` after `delayMs`. Entries of one time fire in the order in which they were made. */
  after(delayMs: number, fire: () => void): Timer {
    const entry = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, fire, isOver: false }
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
    return {
      cancel: () => {
        entry.isOver = true
      },
    }
  }

  /** Lets time pass until `untilMs`, or until `isEnough` after any step. */
  async run(untilMs: number, isEnough: () => boolean = () => false): Promise<void> {
    await untilIdle()
    while (!isEnough()) {
      const next = this.#take(untilMs)
      if (next === null) {
        this.nowMs = untilMs
        return
      }
      this.nowMs = next.atMs
      next.fire()
      await untilIdle()
    }
  }

  #take(untilMs: number): Entry | null {
    for (let first = this.#heap[0]; first && (first.isOver || first.atMs <= untilMs); first = this.#heap[0]) {
      this.#dropFirst()
      if (!first.isOver) return first
    }
    return null
  }

  #dropFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink(0)
  }

  #rise(at: number): void {
    for (let child = at; child > 0;) {
      const parent = (child - 1) >> 1
      if (!this.#isBefore(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  #sink(at: number): void {
    for (let parent = at; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      let first = parent
      if (left < this.#heap.length && this.#isBefore(left, first)) first = left
      if (right < this.#heap.length && this.#isBefore(right, first)) first = right
      if (first === parent) return
      this.#swap(parent, first)
      parent = first
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    return a !== undefined && b !== undefined && (a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order))
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (a && b) [this.#heap[one], this.#heap[other]] = [b, a]
  }
}

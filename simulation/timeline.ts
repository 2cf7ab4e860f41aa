import type { Timer } from '../src/ports/clock.ts'
import { untilIdle } from './idle.ts'

/** Canceled entries are swept out once there are so many, and as many as others. */
const LEAST_CANCELED = 500
/** Whether it is enough is asked after so many ms at the most often. */
const ASKED_MS = 50

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
  #heap: Entry[] = []
  /** How many entries of the heap were canceled. */
  #canceled = 0

  /** Calls `fire` after `delayMs`. Entries of one time fire in the order in which they were made. */
  after(delayMs: number, fire: () => void): Timer {
    const entry = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, fire, isOver: false }
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
    return { cancel: () => this.#cancel(entry) }
  }

  #cancel(entry: Entry): void {
    if (entry.isOver) return
    entry.isOver = true
    this.#canceled += 1
    if (this.#canceled < LEAST_CANCELED || this.#canceled < this.#heap.length / 2) return
    const left = this.#heap.filter(({ isOver }) => !isOver)
    this.#heap = []
    this.#canceled = 0
    for (const one of left) {
      this.#heap.push(one)
      this.#rise(this.#heap.length - 1)
    }
  }

  /** Lets time pass until `untilMs`, or until `isEnough`. */
  async run(untilMs: number, isEnough: () => boolean = () => false): Promise<void> {
    await untilIdle()
    for (let askMs = this.nowMs; ;) {
      if (this.nowMs >= askMs) {
        if (isEnough()) return
        askMs = this.nowMs + ASKED_MS
      }
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
      if (first.isOver) {
        this.#canceled -= 1
        continue
      }
      first.isOver = true
      return first
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

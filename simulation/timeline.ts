import type { Timer } from '../src/ports/clock.ts'
import { whenIdle } from './idle.ts'

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
    this.#rise()
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
      this.#rise()
    }
  }

  /** Lets time pass until `untilMs`, or until `isEnough`. */
  run(untilMs: number, isEnough: () => boolean = () => false): Promise<void> {
    let askMs = this.nowMs
    return new Promise((resolve, reject) => {
      const go = (): void => {
        if (this.nowMs >= askMs) {
          if (isEnough()) return resolve()
          askMs = this.nowMs + ASKED_MS
        }
        const next = this.#take(untilMs)
        this.nowMs = next?.atMs ?? untilMs
        if (next === null) return resolve()
        next.fire()
        whenIdle(step)
      }
      const step = (): void => {
        try {
          go()
        } catch (error) {
          reject(error)
        }
      }
      whenIdle(step)
    })
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
    this.#sink(last)
  }

  /** Moves the last entry up to its place. */
  #rise(): void {
    const heap = this.#heap
    let at = heap.length - 1
    const entry = heap[at]
    if (!entry) return
    for (let parent = (at - 1) >> 1; at > 0; parent = (at - 1) >> 1) {
      const above = heap[parent]
      if (!above || !isBefore(entry, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = entry
  }

  /** Moves an entry down from the top to its place. */
  #sink(entry: Entry): void {
    const heap = this.#heap
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const [left, right] = [heap[child], heap[child + 1]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const first = isRight ? right : left
      if (!first || !isBefore(first, entry)) break
      heap[at] = first
      at = isRight ? child + 1 : child
    }
    heap[at] = entry
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}

import type { Clock, Timer } from '../src/ports/clock.ts'
import { STALL_MS } from '../src/domain/limits.ts'
import { READ_MS } from '../src/process/clock.ts'
import type { Timeline } from './timeline.ts'

/** The wall clock of a simulation begins here, in ms since the epoch. */
export const BEGINNING_MS = Date.UTC(2026, 0, 1)

/** Nobody waits for a machine that was killed. */
const NEVER: Timer = { cancel() {} }

/** The name of the machine that a process runs on: `node_one` runs on `one`. */
export function machineOf(process: string): string {
  return process.slice(process.indexOf('_') + 1)
}

/**
 * A process on a machine of its own: its clock, and everything that reaches it. While it is frozen nothing happens
 * there; what was due meanwhile happens as it thaws. Once it is killed nothing happens there any more.
 */
export class Machine implements Clock {
  readonly name: string
  readonly #timeline: Timeline
  /** How far its wall clock is ahead, in ms. */
  skewMs = 0
  #isDead = false
  #isFrozen = false
  /** How often its process was killed: what one had planned does not happen in the next. */
  #deaths = 0
  #thawedMs = -Infinity
  #frozenMs = 0
  #isClockFrozen = false
  /** How long its monotonic clock stood still, in ms. */
  #lostMs = 0
  #held: (() => void)[] = []

  constructor(name: string, timeline: Timeline) {
    this.name = name
    this.#timeline = timeline
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Names its process among those that ran on it. */
  get life(): number {
    return this.#deaths
  }

  /** Whether it runs, and has run for `ms`. */
  hasRunFor(ms: number): boolean {
    return !this.#isDead && !this.#isFrozen && this.#timeline.nowMs - this.#thawedMs >= ms
  }

  now(): number {
    return BEGINNING_MS + this.#timeline.nowMs + this.skewMs
  }

  monotonicMs(): number {
    return this.#timeline.nowMs - this.#lostMs
  }

  /** As the clock of a process: a timer that fires late lets sockets be read first (src/process/clock.ts). */
  after(delayMs: number, fire: () => void): Timer {
    if (this.#isDead) return NEVER
    const dueMs = this.monotonicMs() + delayMs
    let isOver = false
    const life = this.#deaths
    const due = () => void (isOver || life !== this.#deaths || fire())
    const ring = () => {
      if (this.monotonicMs() - dueMs < STALL_MS) due()
      else this.#timeline.after(READ_MS, () => this.reach(due))
    }
    const timer = this.#timeline.after(delayMs, () => this.reach(ring))
    return {
      cancel() {
        isOver = true
        timer.cancel()
      },
    }
  }

  /** Runs what reaches the process now: at once, when it thaws, or never. */
  reach(run: () => void): void {
    if (this.#isDead) return
    if (this.#isFrozen || this.#held.length > 0) this.#held.push(run)
    else run()
  }

  /** Stops it; with its clock as well, as a virtual machine is suspended: then it does not know that it stood still. */
  freeze({ isClockFrozen = false }: { readonly isClockFrozen?: boolean } = {}): void {
    if (this.#isFrozen) return
    this.#isFrozen = true
    this.#isClockFrozen = isClockFrozen
    this.#frozenMs = this.#timeline.nowMs
  }

  thaw(): void {
    if (!this.#isFrozen) return
    this.#isFrozen = false
    this.#thawedMs = this.#timeline.nowMs
    if (this.#isClockFrozen) this.#lostMs += this.#timeline.nowMs - this.#frozenMs
    this.#readHeld()
  }

  /** Reads what waited, each in a turn of its own; what comes meanwhile stands behind it. */
  #readHeld(): void {
    if (this.#isFrozen || this.#held.length === 0) return
    this.#timeline.after(0, () => {
      if (this.#isFrozen) return
      this.#held[0]?.()
      this.#held.shift()
      this.#readHeld()
    })
  }

  kill(): void {
    this.#isDead = true
    this.#deaths += 1
    this.#held = []
  }

  /** Runs again, as a new process over what the former one had stored. */
  revive(): void {
    this.#isDead = false
  }
}

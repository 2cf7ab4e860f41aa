import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import { SLOT_MS } from './audio/frame.ts'

/** Groups that calls are spread over inside a slot, so that encoding comes in four small bursts (measured: 2 to 4 ms of work each at 100 calls). */
const PHASES = 4
/** Our choice: lateness is judged over the last 10 s, long enough for a p99, short enough to admit calls again soon. */
const WINDOW_SECONDS = 10
/** Our choice: of fewer slots the 99th percentile is but the worst few, which the handshakes of the first calls alone make late. */
const LEAST_SLOTS = 500
const BUCKET_MS = 0.5
const BUCKETS = 400

/** The one clock of all calls: 20 ms slots against absolute monotonic deadlines. */
export interface MediaClock {
  /**
   * Calls `onSlots` every 20 ms from now on with the number of slots that passed: 1,
   * or more when the process stalled. Gives the function that ends it.
   */
  add(onSlots: (slots: number) => void): () => void
  /** 99th percentile of how late slots began over the last 10 s, ms. 0 when fewer than 500 began. Basis of MEDIA_CAPACITY (contract 7: `tickLateP99Ms`). */
  latenessP99Ms(): number
  /** Calls on the clock. */
  readonly size: number
  /** Ends all. Idempotent. */
  close(): void
}

type Time = Pick<Clock, 'monotonicMs' | 'after'>
type OnSlots = (slots: number) => void

interface Phase {
  deadlineMs: number
  readonly members: Set<OnSlots>
}

/**
 * Makes the media clock. A relative 20 ms timer loses 0.6 % of slots idle and 21 % under work (measured),
 * so every deadline is counted from one origin and a timer only sleeps until the next.
 */
export function createMediaClock(time: Time, log: Log): MediaClock {
  return new PhasedClock(time, log)
}

class PhasedClock implements MediaClock {
  readonly #time: Time
  readonly #log: Log
  readonly #originMs: number
  readonly #phases: Phase[]
  readonly #lateness: LatenessWindow
  #timer: { cancel(): void } | null = null
  #wakeMs = Infinity
  #isClosed = false

  constructor(time: Time, log: Log) {
    this.#time = time
    this.#log = log
    this.#originMs = time.monotonicMs()
    this.#phases = Array.from({ length: PHASES }, () => ({ deadlineMs: Infinity, members: new Set<OnSlots>() }))
    this.#lateness = new LatenessWindow()
  }

  get size(): number {
    return this.#phases.reduce((sum, phase) => sum + phase.members.size, 0)
  }

  add(onSlots: OnSlots): () => void {
    if (this.#isClosed) return () => {}
    const member: OnSlots = (slots) => onSlots(slots)
    let index = 0
    for (let i = 1; i < PHASES; i++) {
      if (this.#members(i) < this.#members(index)) index = i
    }
    const phase = this.#phases[index]
    if (!phase) return () => {}
    if (phase.members.size === 0) phase.deadlineMs = this.#firstDeadlineMs(index)
    phase.members.add(member)
    this.#arm()
    return () => this.#remove(phase, member)
  }

  latenessP99Ms(): number {
    return this.#lateness.p99Ms(this.#time.monotonicMs())
  }

  close(): void {
    this.#isClosed = true
    for (const phase of this.#phases) phase.members.clear()
    this.#timer?.cancel()
    this.#timer = null
    this.#wakeMs = Infinity
  }

  #members(index: number): number {
    return this.#phases[index]?.members.size ?? 0
  }

  #firstDeadlineMs(index: number): number {
    const offsetMs = index * SLOT_MS / PHASES
    const passed = Math.floor((this.#time.monotonicMs() - this.#originMs - offsetMs) / SLOT_MS)
    return this.#originMs + offsetMs + (passed + 1) * SLOT_MS
  }

  #remove(phase: Phase, member: OnSlots): void {
    phase.members.delete(member)
    if (phase.members.size === 0) phase.deadlineMs = Infinity
  }

  #arm(): void {
    const nextMs = Math.min(...this.#phases.map((phase) => phase.deadlineMs))
    if (nextMs === Infinity || (this.#timer && this.#wakeMs <= nextMs)) return
    this.#timer?.cancel()
    this.#wakeMs = nextMs
    this.#timer = this.#time.after(Math.max(0, nextMs - this.#time.monotonicMs()), () => this.#wake())
  }

  /**
   * After a stall, timers fire before the sockets are read: one more turn lets what arrived meanwhile come in first,
   * so that the missed slots are filled with it and not with made-up sound.
   */
  #wake(): void {
    const lateMs = this.#time.monotonicMs() - this.#wakeMs
    if (lateMs < SLOT_MS) return this.#runDue()
    this.#timer = this.#time.after(0, () => this.#runDue())
  }

  #runDue(): void {
    this.#timer = null
    this.#wakeMs = Infinity
    for (const phase of this.#phases) this.#run(phase)
    this.#arm()
  }

  #run(phase: Phase): void {
    const nowMs = this.#time.monotonicMs()
    // A timer may fire a fraction early; half a millisecond is nearer to right than a whole extra sleep.
    if (phase.deadlineMs > nowMs + 0.5) return
    const lateMs = Math.max(0, nowMs - phase.deadlineMs)
    const slots = Math.floor(lateMs / SLOT_MS) + 1
    this.#lateness.add(lateMs, nowMs)
    phase.deadlineMs += slots * SLOT_MS
    for (const member of phase.members) this.#call(member, slots)
  }

  #call(member: OnSlots, slots: number): void {
    try {
      member(slots)
    } catch (error) {
      this.#log.error({ name: error instanceof Error ? error.name : 'unknown', stack: error instanceof Error ? error.stack : undefined }, 'a slot of a call failed')
    }
  }
}

/** Histogram of lateness, one part for each of the last seconds. */
class LatenessWindow {
  readonly #counts = Array.from({ length: WINDOW_SECONDS }, () => new Uint16Array(BUCKETS))
  readonly #seconds = new Float64Array(WINDOW_SECONDS).fill(-1)

  add(lateMs: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000)
    const index = second % WINDOW_SECONDS
    const counts = this.#counts[index]
    if (!counts) return
    if (this.#seconds[index] !== second) {
      this.#seconds[index] = second
      counts.fill(0)
    }
    const bucket = Math.min(BUCKETS - 1, Math.floor(lateMs / BUCKET_MS))
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }

  /** Upper edge of the bucket that holds the 99th percentile. */
  p99Ms(nowMs: number): number {
    const oldest = Math.floor(nowMs / 1_000) - WINDOW_SECONDS
    const recent = this.#counts.filter((_, i) => (this.#seconds[i] ?? -1) > oldest)
    const total = recent.reduce((sum, counts) => sum + counts.reduce((a, b) => a + b, 0), 0)
    if (total < LEAST_SLOTS) return 0
    let above = total * 0.01
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      for (const counts of recent) above -= counts[bucket] ?? 0
      if (above < 0) return (bucket + 1) * BUCKET_MS
    }
    return 0
  }
}

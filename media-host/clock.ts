import { thrownFields } from '../src/domain/thrown.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import { SLOT_MS } from './audio/frame.ts'

/**
 * Groups that calls are spread over inside a slot, so that encoding comes in four small bursts (measured: 2 to 4 ms of
 * work each at 100 calls).
 */
const PHASES = 4
/** The phase that also runs without calls, to measure lateness. */
const MEASURING = 0
/**
 * Our choice: without calls every seventh slot is looked at, and speaks for the six behind it: 7 turns a second
 * (measured beside other work: 0.6 % of a core, against 1.6 % for 50). Seven have no divisor in common with work that
 * comes every 100 or 200 ms.
 */
const IDLE_SLOTS = 7
/** Our choice: lateness is judged over the last 10 s, long enough for a p99, short enough to admit calls again soon. */
const WINDOW_SECONDS = 10
/**
 * Our choice: with fewer slots, five seconds of one call, the 99th percentile would be only the worst few, which the
 * first handshakes alone make late.
 */
const LEAST_SLOTS = 250
/**
 * measured: slots up to 100 ms late are caught up frame by frame; after a longer gap the RTP time jumps instead of a
 * burst, and their frames are never sent.
 */
export const CATCH_UP_SLOTS = 5
const BUCKET_MS = 0.5
const BUCKETS = 400
/** The slots that a process misses when it stands still for the whole window; and the greatest count that fits. */
const MOST_SLOTS = (WINDOW_SECONDS * 1_000) / SLOT_MS
const MOST_COUNTED = 65_535
/**
 * Our choice: the percentile is computed at most this often, because its 4,000 counts take long to add up for each
 * request.
 */
const COUNT_EVERY_MS = 100

/** The one clock of all calls: 20 ms slots against absolute monotonic deadlines. */
export interface MediaClock {
  /**
   * Calls `onSlots` every 20 ms from now on with the number of slots that passed: 1,
   * or more when the process stalled. Gives the function that ends it. `weight` tells at any time how much the call
   * counts for, 1 when left out.
   */
  add(onSlots: (slots: number) => void, weight?: () => number): () => void
  /**
   * 99th percentile of how late slots began over the last 10 s, ms, at most 200. Each slot counts against the schedule
   * that was there from the start, those among them that passed while the process did something else, and those of no
   * call, so that it is known of a host before it has one. 0 when fewer than 250 began. Basis of MEDIA_CAPACITY
   * ([realtime.server-messages.9]: `tickLateP99Ms`).
   */
  latenessP99Ms(): number
  /** Slots of the last 10 s, of all calls, that came too late to be caught up: their frames were not sent. */
  lostSlots(): number
  /** Calls on the clock. */
  readonly size: number
  /** The weights of the calls on the clock added up: of those that came in the last `ms`, and of those before them. */
  weights(ms: number): CallWeights
  /** Ends all. Idempotent. */
  close(): void
}

/** Sums of what young and old calls count for. */
export interface CallWeights {
  readonly young: number
  readonly old: number
}

type Time = Pick<Clock, 'monotonicMs' | 'after'>
type OnSlots = (slots: number) => void

interface Member {
  /** In ms of the monotonic clock. */
  readonly beganMs: number
  weight(): number
}

interface Phase {
  deadlineMs: number
  readonly members: Map<OnSlots, Member>
}

/**
 * Makes the media clock. A relative 20 ms timer loses 0.6 % of slots idle and 21 % under work (measured), so every
 * deadline is counted from one origin and a timer only sleeps until the next. It runs until it is closed: without calls
 * one phase does, to measure by.
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
  /** The last turn began a slot late or more. */
  #isLate = false
  #isClosed = false

  constructor(time: Time, log: Log) {
    this.#time = time
    this.#log = log
    this.#originMs = time.monotonicMs()
    this.#phases = Array.from({ length: PHASES }, () => ({ deadlineMs: Infinity, members: new Map<OnSlots, Member>() }))
    this.#lateness = new LatenessWindow()
    this.#begin(MEASURING)
  }

  get size(): number {
    return this.#phases.reduce((sum, phase) => sum + phase.members.size, 0)
  }

  add(onSlots: OnSlots, weight: () => number = () => 1): () => void {
    if (this.#isClosed) return () => {}
    const member: OnSlots = (slots) => onSlots(slots)
    let index = 0
    for (let i = 1; i < PHASES; i++) {
      if (this.#members(i) < this.#members(index)) index = i
    }
    const phase = this.#phases[index]
    if (!phase) return () => {}
    if (phase.members.size === 0) {
      // Slots that passed before are measured, and are not the call's.
      this.#run(phase)
      this.#begin(index)
    }
    phase.members.set(member, { beganMs: this.#time.monotonicMs(), weight })
    return () => this.#remove(phase, member)
  }

  weights(ms: number): CallWeights {
    const sinceMs = this.#time.monotonicMs() - ms
    const sums = { young: 0, old: 0 }
    for (const { members } of this.#phases)
      for (const { beganMs, weight } of members.values()) sums[beganMs > sinceMs ? 'young' : 'old'] += weight()
    return sums
  }

  latenessP99Ms(): number {
    return this.#lateness.p99Ms(this.#time.monotonicMs())
  }

  lostSlots(): number {
    return this.#lateness.lost(this.#time.monotonicMs())
  }

  close(): void {
    this.#isClosed = true
    for (const phase of this.#phases) {
      phase.members.clear()
      phase.deadlineMs = Infinity
    }
    this.#timer?.cancel()
    this.#timer = null
    this.#wakeMs = Infinity
  }

  #members(index: number): number {
    return this.#phases[index]?.members.size ?? 0
  }

  #firstDeadlineMs(index: number): number {
    const offsetMs = (index * SLOT_MS) / PHASES
    const passed = Math.floor((this.#time.monotonicMs() - this.#originMs - offsetMs) / SLOT_MS)
    return this.#originMs + offsetMs + (passed + 1) * SLOT_MS
  }

  #remove(phase: Phase, member: OnSlots): void {
    phase.members.delete(member)
    if (phase.members.size === 0 && phase !== this.#phases[MEASURING]) phase.deadlineMs = Infinity
  }

  #begin(index: number): void {
    const phase = this.#phases[index]
    if (phase) phase.deadlineMs = this.#firstDeadlineMs(index)
    this.#arm()
  }

  #arm(): void {
    const nextMs = Math.min(...this.#phases.map((phase) => phase.deadlineMs))
    if (nextMs === Infinity || (this.#timer && this.#wakeMs <= nextMs)) return
    this.#timer?.cancel()
    this.#wakeMs = nextMs
    this.#timer = this.#time.after(Math.max(0, nextMs - this.#time.monotonicMs()), () => this.#wake())
  }

  /**
   * After a stall, timers fire before the sockets are read. One more turn lets the packets that arrived come in first,
   * so that the missed slots are filled with them and not with concealment. That is left out when the previous turn was
   * late too: in a loop that is always late, one more turn takes as long as the stall.
   */
  #wake(): void {
    const isLate = this.#time.monotonicMs() - this.#wakeMs >= SLOT_MS
    const wasLate = this.#isLate
    this.#isLate = isLate
    if (!isLate || wasLate) return this.#runDue()
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
    if (phase.members.size === 0) return this.#measure(phase, lateMs, slots, nowMs)
    this.#lateness.add(lateMs, slots, nowMs)
    if (slots > CATCH_UP_SLOTS) this.#lateness.addLost((slots - 1) * phase.members.size, nowMs)
    phase.deadlineMs += slots * SLOT_MS
    for (const member of phase.members.keys()) this.#call(member, slots)
  }

  #measure(phase: Phase, lateMs: number, slots: number, nowMs: number): void {
    if (slots > IDLE_SLOTS) this.#lateness.add(lateMs, slots, nowMs)
    else this.#lateness.add(lateMs, IDLE_SLOTS, nowMs, 0)
    phase.deadlineMs += Math.max(slots, IDLE_SLOTS) * SLOT_MS
  }

  #call(member: OnSlots, slots: number): void {
    try {
      member(slots)
    } catch (error) {
      this.#log.error(thrownFields(error), 'the media of a call failed in one 20 ms slot; it goes on with the next')
    }
  }
}

/** Histogram of lateness, one part for each of the last seconds. */
class LatenessWindow {
  readonly #counts = Array.from({ length: WINDOW_SECONDS }, () => new Uint16Array(BUCKETS))
  readonly #lost = new Float64Array(WINDOW_SECONDS)
  readonly #seconds = new Float64Array(WINDOW_SECONDS).fill(-1)
  #known = { atMs: Number.NEGATIVE_INFINITY, p99Ms: 0 }

  /**
   * Notes a turn that begins `slots` slots at once, the first of them `lateMs` late and each further one a slot, or
   * `lessMs`, less.
   */
  add(lateMs: number, slots: number, nowMs: number, lessMs: number = SLOT_MS): void {
    const counts = this.#counts[this.#indexAt(nowMs)]
    if (!counts) return
    for (let slot = 0; slot < Math.min(slots, MOST_SLOTS); slot++) {
      const bucket = Math.min(BUCKETS - 1, Math.floor((lateMs - slot * lessMs) / BUCKET_MS))
      counts[bucket] = Math.min(MOST_COUNTED, (counts[bucket] ?? 0) + 1)
    }
  }

  addLost(slots: number, nowMs: number): void {
    const index = this.#indexAt(nowMs)
    this.#lost[index] = (this.#lost[index] ?? 0) + slots
  }

  lost(nowMs: number): number {
    return this.#lost.reduce((sum, lost, index) => sum + (this.#isRecent(index, nowMs) ? lost : 0), 0)
  }

  /**
   * Upper edge of the bucket that holds the 99th percentile, counted anew once in a while: whoever asks for it may ask
   * often.
   */
  p99Ms(nowMs: number): number {
    if (nowMs - this.#known.atMs >= COUNT_EVERY_MS) this.#known = { atMs: nowMs, p99Ms: this.#count(nowMs) }
    return this.#known.p99Ms
  }

  #count(nowMs: number): number {
    const recent = this.#counts.filter((_, index) => this.#isRecent(index, nowMs))
    const total = recent.reduce((sum, counts) => sum + counts.reduce((a, b) => a + b, 0), 0)
    if (total < LEAST_SLOTS) return 0
    let above = total * 0.01
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      for (const counts of recent) above -= counts[bucket] ?? 0
      if (above < 0) return (bucket + 1) * BUCKET_MS
    }
    return 0
  }

  /** The part of this second, emptied of what was there ten seconds ago. */
  #indexAt(nowMs: number): number {
    const second = Math.floor(nowMs / 1_000)
    const index = second % WINDOW_SECONDS
    if (this.#seconds[index] !== second) {
      this.#seconds[index] = second
      this.#counts[index]?.fill(0)
      this.#lost[index] = 0
    }
    return index
  }

  #isRecent(index: number, nowMs: number): boolean {
    return (this.#seconds[index] ?? -1) > Math.floor(nowMs / 1_000) - WINDOW_SECONDS
  }
}

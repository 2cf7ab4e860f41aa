import { randomUUID } from 'node:crypto'
import type { NodeId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

/** our choice: an ask ends this much later than any may, ms, at most: clocks run apart while they are not compared. */
const TOLERANCE_MS = 10_000
/** our choice: processes that are known to have asked. From one more nothing undated is taken. */
const MOST_PROCESSES = 10_000

/** A moment by the monotonic clock of one process: nothing to any other. */
export interface ProcessTime {
  readonly process: string
  readonly ms: number
}

/**
 * Dates asks between nodes by the clock of the process that is to run them, so that it knows without comparing two
 * clocks which are over: those it may forget, and refuses for good. Whoever asks learns that clock from the process
 * itself, and again when the two ran apart.
 */
export class AskDates {
  /** This process, as nobody else is called. */
  readonly process = randomUUID()
  readonly #clock: Clock
  /** Processes of other nodes, and by how much their clock is ahead of this one's, ms. */
  readonly #others = new Map<NodeId, { readonly process: string; readonly aheadMs: number }>()
  /** Those that asked something. */
  readonly #askers = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What the clock of this process says now. */
  now(): ProcessTime {
    return { process: this.process, ms: this.#clock.monotonicMs() }
  }

  /** Another node said what its clock says. */
  learn(nodeId: NodeId, { process, ms }: ProcessTime): void {
    this.#others.set(nodeId, { process, aheadMs: ms - this.#clock.monotonicMs() })
  }

  /** A moment of this process by the clock of a node; null where that is not known yet. */
  there(nodeId: NodeId, ms: number): ProcessTime | null {
    const other = this.#others.get(nodeId)
    return other ? { process: other.process, ms: ms + other.aheadMs } : null
  }

  /** Whether a process asks for the first time: it cannot have dated that. */
  isFirstOf(asker: string): boolean {
    if (this.#askers.has(asker) || this.#askers.size >= MOST_PROCESSES) return false
    this.#askers.add(asker)
    return true
  }

  /**
   * How many ms an ask still has that ends then; null for one that is not of this clock, is over, or ends later than
   * any that lives for `mostMs` does.
   */
  leftMs(end: ProcessTime | null, mostMs: number): number | null {
    if (end?.process !== this.process) return null
    const leftMs = end.ms - this.#clock.monotonicMs()
    return leftMs > 0 && leftMs <= mostMs + TOLERANCE_MS ? leftMs : null
  }
}

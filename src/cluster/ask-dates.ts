import { randomUUID } from 'node:crypto'
import type { NodeId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * our choice: an ask may end this many ms later than its longest life allows, because clocks drift between two
 * comparisons.
 */
const TOLERANCE_MS = 10_000
/** our choice: most asking processes that are remembered. Beyond that, an undated ask is refused. */
const MOST_PROCESSES = 10_000

/** A moment by the monotonic clock of one process; another process can do nothing with it. */
export interface ProcessTime {
  readonly process: string
  readonly ms: number
}

/**
 * Dates asks between nodes by the clock of the process that runs them. That process then knows, without comparing two
 * clocks, which asks are over: it may forget those, and it refuses them for good. The asker learns that clock from the
 * process itself, and again when the two clocks drifted apart.
 */
export class AskDates {
  /** A name for this process that no other has. */
  readonly process = randomUUID()
  readonly #clock: Clock
  /** The known processes of other nodes, and how many ms their clocks are ahead of this one's. */
  readonly #others = new Map<NodeId, { readonly process: string; readonly aheadMs: number }>()
  /** Processes that have asked something. */
  readonly #askers = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The present by the clock of this process. */
  now(): ProcessTime {
    return { process: this.process, ms: this.#clock.monotonicMs() }
  }

  /** Notes the present by another node's clock. */
  learn(nodeId: NodeId, { process, ms }: ProcessTime): void {
    this.#others.set(nodeId, { process, aheadMs: ms - this.#clock.monotonicMs() })
  }

  /** Translates a moment of this process to the clock of a node; null while that clock is unknown. */
  there(nodeId: NodeId, ms: number): ProcessTime | null {
    const other = this.#others.get(nodeId)
    return other ? { process: other.process, ms: ms + other.aheadMs } : null
  }

  /** Whether a process asks for the first time, so that it could not yet date its ask. */
  isFirstOf(asker: string): boolean {
    if (this.#askers.has(asker) || this.#askers.size >= MOST_PROCESSES) return false
    this.#askers.add(asker)
    return true
  }

  /**
   * How many ms are left until the end of an ask. Null when the end is not by this clock, is over, or is later than a
   * life of `mostMs` allows.
   */
  leftMs(end: ProcessTime | null, mostMs: number): number | null {
    if (end?.process !== this.process) return null
    const leftMs = end.ms - this.#clock.monotonicMs()
    return leftMs > 0 && leftMs <= mostMs + TOLERANCE_MS ? leftMs : null
  }
}

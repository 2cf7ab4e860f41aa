/** Decides whether this process takes more audio (architecture 7: on measured lateness, not on a count). */
export interface Admission {
  readonly isOpen: boolean
  /** This process ends: calls it holds go on as ever, their sockets come and go, and it takes no new call. */
  readonly isDraining: boolean
  /** Seconds after which a refused caller should try again. */
  readonly retryAfterSeconds: number
  /** Begins to drain, for good. */
  drain(): void
}

/** What is measured: the media clock. */
export interface Load {
  latenessP99Ms(): number
  /** Calls on the clock. */
  readonly size: number
}

/** architecture 7 / measured: above this the audio of running calls begins to suffer. */
const CLOSE_ABOVE_MS = 10
/** Our choice: well below, so that the gate does not flap around one value. */
const OPEN_BELOW_MS = 6
/** Our choice: with fewer calls lateness comes from other work on the machine, which refusing calls would not lessen. */
const ALWAYS_CALLS = 8
/** Our choice: about the time over which the clock measures lateness. */
const RETRY_AFTER_SECONDS = 5

/** Makes the gate: it shuts above 10 ms of p99 lateness and opens again below 6 ms. */
export function createAdmission(load: Load): Admission {
  let isOpen = true
  let isDraining = false
  return {
    get isOpen() {
      const lateMs = load.latenessP99Ms()
      if (isOpen ? lateMs > CLOSE_ABOVE_MS : lateMs < OPEN_BELOW_MS) isOpen = !isOpen
      return isOpen || load.size < ALWAYS_CALLS
    },
    get isDraining() { return isDraining },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    drain() { isDraining = true },
  }
}

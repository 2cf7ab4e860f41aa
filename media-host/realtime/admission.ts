/** Decides whether this process takes more audio, by measurements and not by a count. */
export interface Admission {
  readonly isOpen: boolean
  /** True when this process ends. Its calls go on, their sockets come and go, and it takes no new call. */
  readonly isDraining: boolean
  /** Seconds after which a refused caller should try again. */
  readonly retryAfterSeconds: number
  /** Starts to drain, for good. */
  drain(): void
}

/** The measured load. */
export interface Load {
  /** How late audio slots begin, in ms. */
  latenessP99Ms(): number
  /** Slots of the last 10 s that were too late to be sent. */
  lostSlots(): number
  /** Share of the time in which the thread had work, from 0 to 1. */
  busyShare(): number
  /** Calls on the clock. */
  readonly size: number
}

/** Our choice: before 10 ms, above which the audio of running calls begins to suffer (measured). */
const CLOSE_ABOVE_MS = 8
/** Our choice: well below, so that the gate does not flap around one value. */
const OPEN_BELOW_MS = 5
/**
 * measured: at 93 % a host of 120 calls was 250 ms late, at 87 % one of 100 was not. A full thread becomes late only
 * when it already has too many calls.
 */
const CLOSE_ABOVE_SHARE = 0.85
/** Our choice: well below, as above. */
const OPEN_BELOW_SHARE = 0.75
/**
 * Our choice: with fewer calls than this, lateness comes from other work on the machine, which refusing calls would not
 * reduce.
 */
const SURE_CALLS = 8
/** Our choice: about the time over which the clock measures lateness. */
const RETRY_AFTER_SECONDS = 5

/**
 * Makes the gate. It shuts above 8 ms of p99 lateness, above 85 % of the thread, or when a frame was lost, and opens
 * again below 5 ms and 75 % without a loss for 10 s. `sureCalls` calls are always admitted.
 */
export function createAdmission(load: Load, sureCalls: number = SURE_CALLS): Admission {
  let isOpen = true
  let isDraining = false
  return {
    get isOpen() {
      const [mostMs, mostShare] = isOpen ? [CLOSE_ABOVE_MS, CLOSE_ABOVE_SHARE] : [OPEN_BELOW_MS, OPEN_BELOW_SHARE]
      isOpen = load.latenessP99Ms() <= mostMs && load.busyShare() <= mostShare && load.lostSlots() === 0
      return isOpen || load.size < sureCalls
    },
    get isDraining() {
      return isDraining
    },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    drain() {
      isDraining = true
    },
  }
}

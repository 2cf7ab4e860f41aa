/** When a failed delivery is tried again. All values are in ms, and an operator may tune them. */
export interface RetrySchedule {
  /** Waits before try 2, 3, ...; there is one more try than waits. */
  readonly waitsMs: readonly number[]
  /**
   * Share by which a wait is shorter or longer at random, so that deliveries that failed together do not return
   * together.
   */
  readonly jitter: number
  /** Least wait after 429 and 503: the receiver said that it has too much. */
  readonly busyMs: number
  /** Least wait after a try that got no answer in time. */
  readonly timeoutMs: number
  /** Longest `Retry-After` that is honoured. */
  readonly retryAfterMaxMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** [webhooks.retries.1]: 12 tries over some 76 hours. No rule names a least wait after a timeout, so there is none. */
export const DEFAULT_SCHEDULE: RetrySchedule = {
  waitsMs: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  jitter: 0.2,
  busyMs: MINUTE,
  timeoutMs: 0,
  retryAfterMaxMs: HOUR,
}

export interface FailedTry {
  /** Number of the try, from 1. */
  readonly attempt: number
  /** 0 when no answer came. */
  readonly statusCode: number
  readonly isTimeout: boolean
  /** The wait that `Retry-After` of the answer asked for; null when absent or unreadable. */
  readonly retryAfterMs: number | null
}

const BUSY: ReadonlySet<number> = new Set([429, 503])

/** Answers the wait in ms before the next try, or null when there is none. `random` gives [0, 1). */
export function nextDelayMs(schedule: RetrySchedule, failed: FailedTry, random: () => number): number | null {
  const wait = schedule.waitsMs[failed.attempt - 1]
  if (wait === undefined) return null
  const jittered = wait * (1 + schedule.jitter * (2 * random() - 1))
  const isBusy = BUSY.has(failed.statusCode)
  const asked = isBusy ? Math.min(failed.retryAfterMs ?? 0, schedule.retryAfterMaxMs) : 0
  const least = Math.max(isBusy ? schedule.busyMs : 0, failed.isTimeout ? schedule.timeoutMs : 0, asked)
  return Math.round(Math.max(jittered, least))
}

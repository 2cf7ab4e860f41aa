import type { NumberId } from '../../src/domain/ids.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'

/**
 * our choice: a number that crashed restarts after 1 s, doubled each time up to 30 s; after two minutes of life the
 * count begins again.
 */
const RESTART_MS = 1_000
const RESTART_MAX_MS = 30_000
const RESTART_FORGIVEN_MS = 120_000

interface Crash {
  readonly tries: number
  /** Monotonic ms, here and below. */
  readonly atMs: number
  readonly untilMs: number
}

/** The crashed numbers of this node, and when each restarts. */
export interface Restarts {
  /** Notes a crash: the number restarts from its rows, with backoff. */
  crashed(numberId: NumberId): void
  /** Whether the number crashed and may not restart yet. */
  isResting(numberId: NumberId): boolean
  /** Forgets the crashes of a number that ended normally. */
  forget(numberId: NumberId): void
  /** Cancels all restarts. */
  stop(): void
}

export interface RestartsDeps {
  readonly clock: Clock
  readonly log: Log
  restart(numberId: NumberId): void
}

/** Creates the restarts of a node. */
export function createRestarts({ clock, log, restart }: RestartsDeps): Restarts {
  const crashes = new Map<NumberId, Crash>()
  const timers = new Set<Timer>()
  let isStopping = false
  return {
    crashed(numberId) {
      if (isStopping) return
      const nowMs = clock.monotonicMs()
      const last = crashes.get(numberId)
      const tries = last && nowMs - last.atMs < RESTART_FORGIVEN_MS ? last.tries + 1 : 0
      const delayMs = Math.min(RESTART_MAX_MS, RESTART_MS * 2 ** tries)
      crashes.set(numberId, { tries, atMs: nowMs, untilMs: nowMs + delayMs })
      log.warn({ numberId, delayMs }, 'number restarts after a crash')
      const timer = clock.after(delayMs, () => {
        timers.delete(timer)
        restart(numberId)
      })
      timers.add(timer)
    },
    isResting: (numberId) => (crashes.get(numberId)?.untilMs ?? -Infinity) > clock.monotonicMs(),
    forget: (numberId) => void crashes.delete(numberId),
    stop() {
      isStopping = true
      for (const timer of timers) timer.cancel()
    },
  }
}

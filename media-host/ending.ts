import type { Clock } from '../src/ports/clock.ts'

/**
 * [media-hosts.sigterm.3]: a signal later than this after the first ends the program at once; an earlier one is a
 * repetition of the first.
 */
export const IMPATIENT_MS = 2_000

export interface EndingParts {
  readonly clock: Clock
  /** How long the host drains at most before it closes. */
  readonly drainMs: number
  /** Takes nothing new; resolves when all calls have ended. */
  drain(): Promise<void>
  /** Closes what is left. */
  close(): Promise<void>
  /** Ends the process. */
  exit(): void
}

/** How a media host ends. */
export interface Ending {
  /** Drains, then closes, because a signal asked for it. A second call later than 2 s closes at once. */
  asked(): void
  /** Closes at once, because nobody waits any longer. */
  now(): void
}

/** Makes the end of a process. It happens once, however often it is asked for. */
export function createEnding({ clock, drainMs, drain, close, exit }: EndingParts): Ending {
  let askedAtMs: number | null = null
  let isClosing = false

  function now(): void {
    if (isClosing) return
    isClosing = true
    void close().finally(exit)
  }

  return {
    now,
    asked() {
      const nowMs = clock.monotonicMs()
      if (askedAtMs !== null) {
        if (nowMs - askedAtMs > IMPATIENT_MS) now()
        return
      }
      askedAtMs = nowMs
      clock.after(drainMs, now)
      void drain().then(now, now)
    },
  }
}

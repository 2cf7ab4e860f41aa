import type { Clock } from '../src/ports/clock.ts'

/** [media-hosts.sigterm.3]: a signal this much after the first ends at once; sooner it is the same wish said twice. */
export const IMPATIENT_MS = 2_000

export interface EndingParts {
  readonly clock: Clock
  /** What is waited for at most before the host closes. */
  readonly drainMs: number
  /** Takes nothing new; resolves when all is done. */
  drain(): Promise<void>
  /** Closes what is left. */
  close(): Promise<void>
  /** Ends the process. */
  exit(): void
}

/** How a media host ends. */
export interface Ending {
  /** A signal asks it to: it drains, then closes. Asked again later than 2 s, it closes at once. */
  asked(): void
  /** Nobody is left to wait for: it closes at once. */
  now(): void
}

/** Makes the end of a process, which comes once however often it is asked for. */
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

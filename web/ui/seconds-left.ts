import { useEffect, useState } from 'preact/hooks'
import type { PageClock } from './clock.ts'

/** Whole seconds until a time of the clock, counted down as they pass; 0 after that. */
export function useSecondsLeft(endsAt: number, clock: PageClock): number {
  const [, redraw] = useState(0)
  const leftMs = Math.max(0, endsAt - clock.monotonicMs())
  const seconds = Math.ceil(leftMs / 1_000)
  useEffect(() => {
    if (seconds === 0) return
    // The timer fires just after the running second ends, because timers may fire a fraction early.
    const timer = clock.after(leftMs - (seconds - 1) * 1_000 + 10, () => redraw((count) => count + 1))
    return () => timer.cancel()
  })
  return seconds
}

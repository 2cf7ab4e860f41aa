import { useEffect, useRef } from 'preact/hooks'
import type { PageClock } from '../clock.ts'
import { useSecondsLeft } from '../seconds-left.ts'

interface TimeLeftProps {
  readonly endsAt: number
  /** How long the code was valid at first, in ms: a full bar. */
  readonly lifeMs: number
  readonly clock: PageClock
  readonly say: (time: string) => string
}

/**
 * The remaining time of a code, as a bar and in words. The `timer` role keeps screen readers from reading out each
 * second.
 */
export function TimeLeft({ endsAt, lifeMs, clock, say }: TimeLeftProps) {
  const seconds = useSecondsLeft(endsAt, clock)
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => bar.current?.style.setProperty('--left', String(Math.min(1, (seconds * 1_000) / lifeMs))))
  return (
    <div class="time-left">
      <span class="time-bar" aria-hidden="true">
        <span ref={bar} />
      </span>
      <p role="timer">{say(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)}</p>
    </div>
  )
}

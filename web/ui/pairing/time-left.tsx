import { useEffect, useRef } from 'preact/hooks'
import type { PageClock } from '../clock.ts'
import { useSecondsLeft } from '../seconds-left.ts'

interface TimeLeftProps {
  readonly endsAt: number
  /** How long it was good for, in ms: what a full bar means. */
  readonly lifeMs: number
  readonly clock: PageClock
  readonly say: (time: string) => string
}

/** How long a code is good for yet, as a bar and as words. A `timer` is not read out each second. */
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

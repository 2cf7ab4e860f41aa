import { useEffect, useState } from 'preact/hooks'
import { useDrawn } from './context.ts'

/** The server's time, updated every `everyMs`, for countdowns. */
export function useNow(everyMs: number): number {
  const { inbox } = useDrawn()
  const [now, setNow] = useState(() => inbox.clock.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(inbox.clock.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, inbox])
  return now
}

import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../shell/app.ts'

/** Our choice, in ms: news that come together are answered by one read; well below [dashboard.pages.4]. */
const SETTLED_MS = 500

/**
 * Makes a function that calls `act` once, `afterMs` after its first call, however often it is called meanwhile: for
 * what follows live news that come in bursts.
 */
export function useSettled(act: () => void, afterMs: number = SETTLED_MS): () => void {
  const { clock } = useApp()
  const newest = useRef(act)
  newest.current = act
  const waiting = useRef<{ cancel(): void } | null>(null)
  useEffect(() => () => waiting.current?.cancel(), [])
  return () => {
    waiting.current ??= clock.after(afterMs, () => {
      waiting.current = null
      newest.current()
    })
  }
}

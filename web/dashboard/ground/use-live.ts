import { useEffect, useRef } from 'preact/hooks'
import type { Frames, Listeners } from '../live/frames.ts'
import { useApp } from '../shell/app.ts'

/**
 * Hears of live changes while the component is shown. The listeners of the newest drawing are called, so they may read
 * whatever they close over.
 */
export function useLive(listeners: Listeners): void {
  const { news } = useApp()
  const newest = useRef(listeners)
  newest.current = listeners
  useEffect(() => {
    const hand =
      <Type extends keyof Frames>(type: Type) =>
      (frame: Frames[Type]): void =>
        newest.current[type]?.(frame)
    return news.listen({
      number: hand('number'),
      call: hand('call'),
      event: hand('event'),
      conversation: hand('conversation'),
      resync: hand('resync'),
    })
  }, [news])
}

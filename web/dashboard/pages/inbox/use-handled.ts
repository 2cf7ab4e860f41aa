import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'

/** Our choice, in ms: far below a second, since people answer each other by notes. */
const SETTLED_MS = 100

/**
 * Calls `act` when a conversation is handled otherwise: the named one, or any for null. These news are not kept for
 * whoever is away, so it is called when the stream is back, too.
 */
export function useHandled(conversationId: string | null, act: () => void): void {
  const { news } = useApp()
  const later = useSettled(act, SETTLED_MS)
  useLive({
    conversation({ id }) {
      if (conversationId === null || id === conversationId) later()
    },
  })
  const isLive = news.state.value === 'live'
  const wasLost = useRef(false)
  useEffect(() => {
    if (isLive && wasLost.current) later()
    wasLost.current = !isLive
  }, [isLive])
}

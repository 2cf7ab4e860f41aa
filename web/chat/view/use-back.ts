import { useEffect } from 'preact/hooks'
import { useDrawn } from './context.ts'

/** The state that marks the history entry of an open thread. */
const THREAD = { inbox: 'thread' }

/**
 * An open thread is one entry of the browser history: when one pane shows at a time, "back" leads from the thread to
 * the list, not away from the host page.
 */
export function useBack(): void {
  const { inbox } = useDrawn()
  const isOpen = inbox.open.value !== null
  // After a reload at such an entry no thread is open, so the entry loses its mark.
  useEffect(() => {
    if (isAtThread()) history.replaceState(null, '')
  }, [])
  useEffect(() => {
    const isNarrow = matchMedia('(max-width: 719px)').matches
    if (isOpen && isNarrow && !isAtThread()) history.pushState(THREAD, '')
    if (!isOpen && isAtThread()) history.back()
  }, [isOpen])
  useEffect(() => {
    const moved = (): void => {
      const isLeft = !isAtThread() && inbox.open.peek() !== null
      if (isLeft && matchMedia('(max-width: 719px)').matches) inbox.close()
    }
    window.addEventListener('popstate', moved)
    return () => window.removeEventListener('popstate', moved)
  }, [inbox])
}

function isAtThread(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'inbox' in state && state.inbox === THREAD.inbox
}

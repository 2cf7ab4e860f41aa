import { useEffect } from 'preact/hooks'
import { useDrawn } from './context.ts'

/** What the entry of an open thread is known by. */
const THREAD = { inbox: 'thread' }

/**
 * Where one pane shows at a time "back" leads from a thread to the list, and not from the page around the inbox: an
 * open thread is one entry of the history.
 */
export function useBack(): void {
  const { inbox } = useDrawn()
  const isOpen = inbox.open.value !== null
  // An entry that this document was loaded anew at has no thread any more.
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

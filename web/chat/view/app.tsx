import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import WifiOff from 'lucide/dist/esm/icons/wifi-off.mjs'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { Search } from '../state/search.ts'
import { useDrawn } from './context.ts'
import { ConversationSide } from './list/conversation-list.tsx'
import { Notice } from './notice.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import { useBack } from './use-back.ts'

/** Our choice, in ms: a shorter wait is not told of. */
const LATE_MS = 1_000

/** The inbox: conversations at the side, the open one beside them, and below 720 px one of the two. */
export function App({ title }: { readonly title: string }) {
  const { inbox, words } = useDrawn()
  const [search] = useState(() => new Search(inbox.requests))
  const open = inbox.open.value
  const state = inbox.state.value
  useBack()
  useSearchKey()
  useNoStrayDrops()
  return (
    <main
      class={open ? 'inbox at-thread' : 'inbox at-list'}
      data-state={state}
      data-connection={inbox.connection.value}
      aria-label={title}
    >
      <ConnectionLine />
      {state === 'error' && inbox.session.value === null ? (
        <Notice heading={words.states.failed} action={words.tryAgain} onAction={() => void inbox.retry()} />
      ) : (
        <div class="panes">
          <ConversationSide title={title} search={search} />
          {open ? (
            <ThreadView key={open.conversationId} open={open} />
          ) : (
            <div class="thread none">
              <Notice heading={words.states.choose} />
            </div>
          )}
        </div>
      )}
    </main>
  )
}

/** What is to be known of the connection, above everything: nothing while all is well. */
function ConnectionLine() {
  const { inbox, words } = useDrawn()
  // Where the page around fetches a new token by itself nobody needs to know that the old one was over.
  const isOver = useLate(inbox.over.value !== null)
  const isLate = useLate(inbox.connection.value === 'connecting' && inbox.session.value !== null)
  // Where nothing could be loaded the notice below says so, whatever was in the way.
  const isEmpty = inbox.state.value === 'error' && inbox.session.value === null
  const text = isEmpty
    ? ''
    : lineOf(isOver, inbox.over.value === null ? inbox.connection.value : 'live', isLate, words.states)
  return (
    <p class={text === '' ? 'line none' : 'line'} role="status">
      {text !== '' && <Icon of={isOver ? CircleAlert : WifiOff} size={16} />}
      {text}
    </p>
  )
}

function lineOf(
  isOver: boolean,
  connection: string,
  isLate: boolean,
  words: { readonly expired: string; readonly offline: string; readonly connecting: string },
): string {
  if (isOver) return words.expired
  if (connection === 'offline') return words.offline
  return isLate ? words.connecting : ''
}

/** Whether something lasts long enough to be told of. */
function useLate(isSo: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!isSo) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [isSo])
  return isSo && isLate
}

/** A file that is dropped beside what takes it would be opened in place of the inbox. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const stay = (event: DragEvent): void => event.preventDefault()
    document.addEventListener('dragover', stay)
    document.addEventListener('drop', stay)
    return () => {
      document.removeEventListener('dragover', stay)
      document.removeEventListener('drop', stay)
    }
  }, [])
}

/** Ctrl+K or Cmd+K goes to the search, wherever the focus is. */
function useSearchKey(): void {
  const { inbox } = useDrawn()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Where one pane shows at a time the search is with the list.
      if (matchMedia('(max-width: 719px)').matches) inbox.close()
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[data-search]')?.focus())
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [inbox])
}

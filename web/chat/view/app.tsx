import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import WifiOff from 'lucide/dist/esm/icons/wifi-off.mjs'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { Search } from '../state/search.ts'
import { useDrawn } from './context.ts'
import { ConversationSide } from './list/conversation-list.tsx'
import { Notice } from './notice.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import { Told } from './told.tsx'
import { useBack } from './use-back.ts'

/** Our choice, in ms: a state that ends sooner is not announced. */
const LATE_MS = 1_000

/** The inbox: the list of conversations beside the open one, or one of the two when the window is below 720 px wide. */
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
      <Told />
    </main>
  )
}

/** A line above everything that says what is wrong with the connection; hidden while all is well. */
function ConnectionLine() {
  const { inbox, words } = useDrawn()
  // The host page may fetch a new token by itself, and then nobody needs to know that the old one was over.
  const isOver = useLate(inbox.over.value !== null)
  const isLate = useLate(inbox.connection.value === 'connecting' && inbox.session.value !== null)
  // The notice below already says that nothing could be loaded, whatever the reason.
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

/** Whether a state has lasted long enough to be announced. */
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

/** Prevents the browser from opening a dropped file in place of the inbox when it lands beside a drop area. */
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

/** Ctrl+K or Cmd+K moves the focus to the search, wherever the focus is. */
function useSearchKey(): void {
  const { inbox, features } = useDrawn()
  useEffect(() => {
    if (!features.search) return
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // When one pane shows at a time, the search field is in the pane of the list.
      if (matchMedia('(max-width: 719px)').matches) inbox.close()
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[data-search]')?.focus())
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [inbox, features])
}

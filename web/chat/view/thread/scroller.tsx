import ArrowDown from 'lucide/dist/esm/icons/arrow-down.mjs'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import type { VListHandle } from '../../../ui/virtual-list.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isStored, itemsOf } from '../../model/thread.ts'
import type { Thread, ThreadItem } from '../../model/thread.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import type { Outgoing } from '../../state/outbox.ts'
import { useDrawn } from '../context.ts'
import { Notice } from '../notice.tsx'
import { roam } from '../roving.ts'
import { MessageItem } from './message-item.tsx'
import { OutgoingItem } from './outgoing-item.tsx'
import { DayItem, UnreadItem } from './separators.tsx'
import { usePlace } from './use-place.ts'

type Item = ThreadItem | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: Outgoing }

/**
 * The messages of a thread. Only visible ones are drawn, more are read at both ends, and the visible ones stay in place
 * while older ones are added.
 */
export function Scroller({ open, thread }: { readonly open: OpenThread; readonly thread: Thread }) {
  const handle = useRef<VListHandle>(null)
  const items = useItems(open, thread)
  const isPrepended = usePrepended(thread)
  const { isAtEnd, scrolled, resized, stay } = usePlace(handle, items, open)
  const last = items.at(-1)?.key
  const entry = items.findLast(({ kind }) => kind === 'message')?.key

  if (items.length === 0) return <NoMessages />
  return (
    <div
      class="messages"
      onKeyDown={(event) => void roam(event, event.currentTarget, '[data-message]')}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('[data-action=read-more]')) stay()
      }}
    >
      <VirtualList
        ref={handle}
        data={items}
        shift={isPrepended}
        onScroll={scrolled}
        onResize={resized}
        bufferSize={600}
        data-thread={open.conversationId}
      >
        {(item) => (
          <div key={item.key} class={item.key === last ? 'at-end' : undefined}>
            <Drawn item={item} open={open} isEntry={item.key === entry} />
          </div>
        )}
      </VirtualList>
      {open.reading.value === 'older' && <ReadingOlder />}
      {(!isAtEnd || thread.hasNewer) && <NewestButton open={open} />}
    </div>
  )
}

function NoMessages() {
  const { words } = useDrawn()
  return (
    <div class="messages">
      <Notice heading={words.states.noMessages} />
    </div>
  )
}

function ReadingOlder() {
  const { words } = useDrawn()
  return (
    <p class="reading" role="status">
      {words.message.older}
    </p>
  )
}

/** The items of a thread, followed by the messages on their way. */
function useItems(open: OpenThread, thread: Thread): readonly Item[] {
  const { inbox, formats } = useDrawn()
  const [unreadFrom, retried, sent] = [
    open.unreadFrom.value,
    inbox.outbox.retried.value,
    inbox.outbox.of(open.conversationId).value,
  ]
  return useMemo(() => {
    // A sent message that is stored by now must not show twice.
    const outgoing = sent
      .filter((one) => !isStored(thread, one))
      .map((one): Item => ({ kind: 'outgoing', key: one.key, outgoing: one }))
    return [...itemsOf(thread, { unreadFrom, retried, dayOf: formats.dayKey }), ...outgoing]
  }, [thread, unreadFrom, retried, sent, formats.dayKey])
}

function Drawn({ item, open, isEntry }: { readonly item: Item; readonly open: OpenThread; readonly isEntry: boolean }) {
  switch (item.kind) {
    case 'day':
      return <DayItem at={item.at} />
    case 'unread':
      return <UnreadItem />
    case 'message':
      return <MessageItem item={item} open={open} isEntry={isEntry} />
    case 'outgoing':
      return <OutgoingItem outgoing={item.outgoing} open={open} />
  }
}

/**
 * Whether this drawing is the first one with older messages in front; the list then keeps its position from the end.
 */
function usePrepended({ messages }: Thread): boolean {
  const drawn = useRef<{ first: string | undefined; last: string | undefined }>({ first: undefined, last: undefined })
  const [first, last] = [messages[0]?.id, messages.at(-1)?.id]
  const isPrepended = drawn.current.first !== undefined && first !== drawn.current.first && last === drawn.current.last
  useLayoutEffect(() => {
    drawn.current = { first, last }
  })
  return isPrepended
}

function NewestButton({ open }: { readonly open: OpenThread }) {
  const { inbox, words } = useDrawn()
  const unread = inbox.conversations.find(open.conversationId)?.unreadCount ?? 0
  return (
    <button
      type="button"
      class="pill"
      data-action="newest"
      aria-label={unread > 0 ? undefined : words.message.newest}
      onClick={() => void open.goToEnd()}
    >
      <Icon of={ArrowDown} size={16} />
      {unread > 0 && words.message.newMessages}
    </button>
  )
}

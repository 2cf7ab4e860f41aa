import Ellipsis from 'lucide/dist/esm/icons/ellipsis-vertical.mjs'
import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { titleOf, unreadOf } from '../../model/conversations.ts'
import { plainOf } from '../../model/formatted-text.ts'
import type { Conversation, Message } from '../../model/message.ts'
import { Avatar } from '../avatar.tsx'
import { useDrawn } from '../context.ts'
import { useMenu } from '../menu/use-menu.ts'
import { nameOfType } from '../thread/quote.tsx'
import { StatusTick } from '../thread/status-tick.tsx'
import { TypeIcon } from '../type-icon.tsx'
import { useNow } from '../use-now.ts'

interface RowProps {
  readonly conversation: Conversation
  readonly isOpen: boolean
  /** Whether the tab key enters the list at this row. */
  readonly isEntry: boolean
  /** The message that a search found, shown in place of the last one. */
  readonly found?: Message
  readonly onOpen: () => void
  /** Whether the row has a menu. */
  readonly hasMenu?: boolean
}

/** The menu is loaded when somebody first opens one. */
const RowMenu = lazy(() => import('./row-menu.tsx'))

/** One conversation of the list. */
export function Row(props: RowProps) {
  const { features, inbox } = useDrawn()
  const { conversation, hasMenu } = props
  const canMark = features.archive || (features.markUnread && unreadOf(conversation) === 0)
  return hasMenu && canMark && inbox.over.value === null ? <RowWithMenu {...props} /> : <RowButton {...props} />
}

/** A row with its menu, which the tab key reaches from the row alone. */
function RowWithMenu(props: RowProps) {
  const { words } = useDrawn()
  const menu = useMenu()
  const [isFocused, setFocused] = useState(false)
  return (
    <div class="row-place" onFocusIn={() => setFocused(true)} onFocusOut={() => setFocused(false)} {...menu.props}>
      <RowButton {...props} />
      <button
        type="button"
        class="plain row-menu"
        data-action="conversation-menu"
        aria-label={words.list.menu}
        aria-haspopup="menu"
        aria-expanded={menu.place !== null}
        tabIndex={isFocused || menu.place ? 0 : -1}
        onClick={({ currentTarget }) => menu.openAt(currentTarget)}
      >
        <Icon of={Ellipsis} size={18} />
      </button>
      {menu.place && (
        <Suspense fallback={null}>
          <RowMenu conversation={props.conversation} place={menu.place} onClose={menu.close} />
        </Suspense>
      )}
    </div>
  )
}

function RowButton({ conversation, isOpen, isEntry, found, onOpen }: RowProps) {
  const { words, formats } = useDrawn()
  const now = useNow(60_000)
  const { id, unreadCount, lastMessageAt, numberId } = conversation
  const unread = unreadOf(conversation)
  const at = found?.createdAt ?? lastMessageAt
  const title = titleOf(conversation, words)
  return (
    <button
      type="button"
      class="row"
      data-conversation={id}
      data-unread={unread}
      aria-current={isOpen}
      tabIndex={isEntry ? 0 : -1}
      onClick={onOpen}
    >
      <Avatar title={title} />
      <span class="row-head">
        <span class="row-title" dir="auto" title={title}>
          {title}
        </span>
        <NumberChip numberId={numberId} />
      </span>
      {at !== null && (
        <time class="row-time" dateTime={at} title={formats.full(at)}>
          {formats.shortly(at, now)}
        </time>
      )}
      <span class="row-preview">
        {found === undefined ? <Preview of={conversation} /> : <span dir="auto">{plainOf(found.content ?? '')}</span>}
      </span>
      {unread > 0 && <UnreadBadge count={unreadCount} />}
    </button>
  )
}

/** The number that the conversation is on, shown when the inbox has several. */
function NumberChip({ numberId }: { readonly numberId: string }) {
  const numbers = useDrawn().inbox.session.value?.numbers ?? []
  const number = numbers.length > 1 ? numbers.find((one) => one.id === numberId) : undefined
  if (number === undefined) return null
  return (
    <span class="chip" title={number.name}>
      {number.name}
    </span>
  )
}

/** The number of unread messages; a dot for a conversation that has none and is marked as unread. */
function UnreadBadge({ count }: { readonly count: number }) {
  const { words } = useDrawn()
  return (
    <span class={count === 0 ? 'badge dot' : 'badge'}>
      {count > 0 && <span aria-hidden="true">{count > 99 ? '99+' : count}</span>}
      <span class="unseen">{count === 0 ? words.list.did.unread : words.list.unreadCount(count)}</span>
    </span>
  )
}

/** The draft of the conversation, else its last message. */
function Preview({
  of: { id, lastMessagePreview, lastMessageDirection, lastMessageStatus, lastMessageType },
}: {
  readonly of: Conversation
}) {
  const { inbox, words } = useDrawn()
  const { text: draft, caption, files } = inbox.drafts.of(id)
  const isOpen = inbox.open.value?.conversationId === id
  const begun = draft.value.trim() || caption.value.trim() || (files.value[0]?.name ?? '')
  if (begun !== '' && !isOpen)
    return (
      <>
        <span class="draft">{words.list.draft}</span>
        <span dir="auto">{plainOf(begun)}</span>
      </>
    )
  const type = lastMessageType ?? 'text'
  const names: Readonly<Record<string, string>> = words.types
  const said = lastMessagePreview === null ? nameOfType(names, type) : plainOf(lastMessagePreview)
  const text = type === 'reaction' && lastMessagePreview !== null ? words.list.reacted(said) : said
  return (
    <>
      {lastMessageDirection === 'OUTBOUND' && lastMessageStatus && <StatusTick status={lastMessageStatus} />}
      <TypeIcon type={type} />
      <span dir="auto">{text}</span>
    </>
  )
}

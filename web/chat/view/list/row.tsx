import { titleOf } from '../../model/conversations.ts'
import { plainOf } from '../../model/formatted-text.ts'
import type { Conversation, Message } from '../../model/message.ts'
import { Avatar } from '../avatar.tsx'
import { useDrawn } from '../context.ts'
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
}

/** One conversation of the list. */
export function Row({ conversation, isOpen, isEntry, found, onOpen }: RowProps) {
  const { words, formats } = useDrawn()
  const now = useNow(60_000)
  const { id, unreadCount, lastMessageAt, numberId } = conversation
  const at = found?.createdAt ?? lastMessageAt
  const title = titleOf(conversation, words)
  return (
    <button
      type="button"
      class="row"
      data-conversation={id}
      data-unread={unreadCount}
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
      {unreadCount > 0 && <UnreadBadge count={unreadCount} />}
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

function UnreadBadge({ count }: { readonly count: number }) {
  const { words } = useDrawn()
  return (
    <span class="badge">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span class="unseen">{words.list.unreadCount(count)}</span>
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

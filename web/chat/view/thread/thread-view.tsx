import ArrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs'
import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { numberOf } from '../../../ui/phone-number.ts'
import { otherAddressesOf, titleOf } from '../../model/conversations.ts'
import type { Conversation } from '../../model/message.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { Composer } from '../composer/composer.tsx'
import { useAttach } from '../composer/use-attach.ts'
import { Avatar } from '../avatar.tsx'
import { useDrawn } from '../context.ts'
import { Notice } from '../notice.tsx'
import { Arrivals } from './arrivals.tsx'
import { NumberNotice, RelayNotice } from './number-notice.tsx'
import { Scroller } from './scroller.tsx'
import { AsideButtons, OpenAside } from './thread-asides.tsx'
import type { AsideName } from './thread-asides.tsx'

/** Loaded when a person is first seen to write. */
const TypingWords = lazy(() => import('./typing-words.tsx'))

/** One open conversation: the peer, the messages and the composer. */
export function ThreadView({ open }: { readonly open: OpenThread }) {
  const { inbox } = useDrawn()
  const [shown, show] = useState<AsideName>(null)
  const conversation = inbox.conversations.find(open.conversationId)
  return (
    conversation && (
      <>
        <Shown open={open} conversation={conversation}>
          <AsideButtons shown={shown} show={show} />
        </Shown>
        <OpenAside shown={shown} show={show} open={open} conversation={conversation} />
      </>
    )
  )
}

interface ShownProps {
  readonly open: OpenThread
  readonly conversation: Conversation
  /** What stands at the end of the head. */
  readonly children: ComponentChildren
}

function Shown({ open, conversation, children }: ShownProps) {
  const { inbox, words } = useDrawn()
  const attach = useAttach(inbox.drafts.of(open.conversationId), conversation)
  const title = titleOf(conversation, words)
  const leave = (): void => {
    inbox.close()
    focusRow(open.conversationId)
  }
  return (
    <section
      class="thread"
      aria-label={words.thread(title)}
      onKeyDown={(event) => leaveOnEscape(event, leave)}
      {...attach.dropProps}
    >
      <header class="thread-head">
        <button type="button" class="plain back" data-action="back" aria-label={words.back} onClick={leave}>
          <Icon of={ArrowLeft} />
        </button>
        <Avatar title={title} />
        <div class="thread-name">
          <Heading open={open} title={title} />
          <Typing open={open} />
          <NumberOf conversation={conversation} />
        </div>
        {children}
      </header>
      <NumberNotice numberId={conversation.numberId} />
      <RelayNotice open={open} />
      <Messages open={open} />
      <Arrivals open={open} title={title} />
      <Composer key={open.conversationId} open={open} conversation={conversation} attach={attach} />
      {attach.isOver && <p class="drop">{words.composer.drop}</p>}
    </section>
  )
}

/**
 * Takes the focus when a thread is opened: the text field on a device with a mouse, else the heading, because an
 * on-screen keyboard would cover the messages.
 */
function Heading({ open, title }: { readonly open: OpenThread; readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (open.target.peek() !== null && open.target.peek() !== 'end') return
    const field = matchMedia('(pointer: fine)').matches ? document.querySelector<HTMLElement>('[data-composer]') : null
    const goal = field ?? heading.current
    goal?.focus({ preventScroll: true })
  }, [open])
  return (
    <h2 ref={heading} tabIndex={-1} dir="auto">
      {title}
    </h2>
  )
}

/** Moves the focus to the row of the conversation that was closed. */
function focusRow(conversationId: string): void {
  requestAnimationFrame(() => {
    const row =
      document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(conversationId)}"]`)
      ?? document.querySelector<HTMLElement>('[data-conversation], input[data-search]')
    row?.focus()
  })
}

function Messages({ open }: { readonly open: OpenThread }) {
  const { words } = useDrawn()
  const thread = open.thread.value
  if (thread) return <Scroller key={open.conversationId} open={open} thread={thread} />
  return (
    <div class="messages">
      {open.hasFailed.value ? (
        <Notice heading={words.states.failed} action={words.tryAgain} onAction={() => void open.open()} />
      ) : (
        <p class="waiting" role="status">
          {words.loading}
        </p>
      )}
    </div>
  )
}

/** What the person is doing now. The line stands there before, so that it is read out. */
function Typing({ open }: { readonly open: OpenThread }) {
  return (
    <p class="thread-number typing" aria-live="polite">
      {open.typing.value && (
        <Suspense fallback={null}>
          <TypingWords open={open} />
        </Suspense>
      )}
    </p>
  )
}

/**
 * The number that the conversation is with, when the inbox has several, the peer's number, when the peer has a name,
 * and what else the peer is known by.
 */
function NumberOf({ conversation }: { readonly conversation: Conversation }) {
  const { type, from, fromName, numberId } = conversation
  const { inbox } = useDrawn()
  const numbers = inbox.session.value?.numbers ?? []
  const number = numbers.length > 1 ? numbers.find(({ id }) => id === numberId)?.name : undefined
  const peer = type === 'DIRECT' && fromName ? numberOf(from) : null
  const text = [peer, ...otherAddressesOf(conversation), number].filter((part) => part).join(' · ')
  return text === '' ? null : (
    <p class="thread-number" dir="auto" title={text}>
      {text}
    </p>
  )
}

function leaveOnEscape(event: KeyboardEvent, leave: () => void): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  event.preventDefault()
  leave()
}

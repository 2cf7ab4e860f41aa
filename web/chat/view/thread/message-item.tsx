import type { Message } from '../../model/message.ts'
import type { ThreadItem } from '../../model/thread.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { useMenu } from '../menu/use-menu.ts'
import { writerOf } from '../writer.ts'
import { Content } from './content.tsx'
import { Failure } from './failure.tsx'
import { MessageActs } from './message-acts.tsx'
import { Quote } from './quote.tsx'
import { StatusTick } from './status-tick.tsx'

interface MessageItemProps {
  readonly item: Extract<ThreadItem, { readonly kind: 'message' }>
  readonly open: OpenThread
  /** Whether the tab key enters the thread at this message. */
  readonly isEntry: boolean
}

/** One message of a thread, with its reactions and actions. */
export function MessageItem({ item: { message, isFollowing, reactions }, open, isEntry }: MessageItemProps) {
  const { inbox, words, features } = useDrawn()
  const { id, direction, status, type, quoted } = message
  const isOurs = direction === 'OUTBOUND'
  const conversation = inbox.conversations.find(open.conversationId)
  const menu = useMenu()
  const name = writerOf(message, conversation, words)
  const canReply = inbox.over.value === null && conversation?.canSend.free === true && isAnswerable(message)
  return (
    <article
      class={classOf(isOurs, isFollowing, reactions.length > 0)}
      data-message={id}
      data-direction={direction}
      data-status={status}
      data-type={type}
      tabIndex={isEntry ? 0 : -1}
      aria-label={name}
      {...(features.messageMenu ? menu.props : {})}
    >
      <div class="bubble">
        {conversation?.type === 'GROUP' && !isOurs && !isFollowing && (
          <p class="writer" dir="auto">
            {name}
          </p>
        )}
        {quoted && <Quote of={quoted} open={open} />}
        <Content message={message} foot={<Foot message={message} />} />
        {reactions.length > 0 && <Reactions shown={reactions.join(' ')} />}
      </div>
      <MessageActs
        message={message}
        menu={menu}
        onReply={canReply ? () => replyTo(inbox.drafts.of(open.conversationId), message) : null}
      />
      {status === 'FAILED' && <Failure message={message} />}
    </article>
  )
}

function classOf(isOurs: boolean, isFollowing: boolean, isReacted: boolean): string {
  return `message ${isOurs ? 'ours' : 'theirs'} ${isFollowing ? 'following' : ''} ${isReacted ? 'reacted' : ''}`
}

function isAnswerable({ externalMessageId, revokedAt }: Message): boolean {
  return externalMessageId !== null && revokedAt === null
}

function Reactions({ shown }: { readonly shown: string }) {
  const { words } = useDrawn()
  return (
    <p class="reactions">
      <span aria-hidden="true">{shown}</span>
      <span class="unseen">{words.message.reactions(shown)}</span>
    </p>
  )
}

function Foot({ message: { createdAt, editedAt, revokedAt, direction, status } }: { readonly message: Message }) {
  const { formats, words } = useDrawn()
  return (
    <p class="foot">
      {editedAt !== null && revokedAt === null && <span>{words.message.edited}</span>}
      <time dateTime={createdAt} title={formats.full(createdAt)}>
        {formats.time(createdAt)}
      </time>
      {direction === 'OUTBOUND' && <StatusTick status={status} />}
    </p>
  )
}

function replyTo(draft: { readonly reply: { value: Message | null } }, message: Message): void {
  draft.reply.value = message
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
}

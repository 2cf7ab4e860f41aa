import type { Message } from '../../model/message.ts'
import { ownEmojiIn } from '../../model/reactions.ts'
import type { ThreadItem } from '../../model/thread.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import type { Drawn } from '../context.ts'
import { useMenu } from '../menu/use-menu.ts'
import { writerOf } from '../writer.ts'
import { Content } from './content.tsx'
import { Failure } from './failure.tsx'
import { MessageActs } from './message-acts.tsx'
import { Quote } from './quote.tsx'
import { Reactions } from './reactions.tsx'
import { StatusTick } from './status-tick.tsx'

interface MessageItemProps {
  readonly item: Extract<ThreadItem, { readonly kind: 'message' }>
  readonly open: OpenThread
  /** Whether the tab key enters the thread at this message. */
  readonly isEntry: boolean
}

/** One message of a thread, with its reactions and actions. */
export function MessageItem({ item: { message, isFollowing, reactions }, open, isEntry }: MessageItemProps) {
  const drawn = useDrawn()
  const { inbox, words, features } = drawn
  const { direction, status, quoted } = message
  const isOurs = direction === 'OUTBOUND'
  const conversation = inbox.conversations.find(open.conversationId)
  const menu = useMenu()
  const name = writerOf(message, conversation, words)
  const canReply = inbox.over.value === null && conversation?.canSend.free === true && isAnswerable(message)
  const react = canReply && isReactable(message) ? reactingTo(message, drawn) : null
  return (
    <article
      class={`message ${isOurs ? 'ours' : 'theirs'} ${isFollowing ? 'following' : ''}`}
      {...hooksOf(message)}
      tabIndex={isEntry ? 0 : -1}
      aria-label={name}
      {...(features.messageMenu ? menu.props : {})}
    >
      <div class="bubble">
        {conversation?.type === 'GROUP' && !isOurs && !isFollowing && <Writer name={name} />}
        {quoted && <Quote of={quoted} open={open} />}
        <Content message={message} foot={<Foot message={message} />} />
      </div>
      <MessageActs
        message={message}
        menu={menu}
        onReply={canReply ? () => replyTo(inbox.drafts.of(open.conversationId), message) : null}
        onReact={react}
        reacted={ownEmojiIn(reactions)}
      />
      {reactions.length > 0 && (
        <Reactions of={reactions} conversation={conversation} onTakeBack={react && (() => react(''))} />
      )}
      {status === 'FAILED' && <Failure message={message} />}
    </article>
  )
}

function Writer({ name }: { readonly name: string }) {
  return (
    <p class="writer" dir="auto">
      {name}
    </p>
  )
}

/** [inbox.hooks.2]: what a message is found by. */
function hooksOf({ id, direction, status, type }: Message) {
  return { 'data-message': id, 'data-direction': direction, 'data-status': status, 'data-type': type }
}

/** Reacts to a message, and says so when that was not done. */
function reactingTo(message: Message, { inbox, notes, words }: Drawn): (emoji: string) => void {
  return (emoji) => void inbox.react(message, emoji).then((isDone) => isDone || notes.say(words.list.notMarked))
}

/** Whether people may react to a message ([message-verbs.modes.4]). */
function isReactable({ type, status }: Message): boolean {
  return type !== 'reaction' && type !== 'system' && status !== 'FAILED'
}

function isAnswerable({ externalMessageId, revokedAt }: Message): boolean {
  return externalMessageId !== null && revokedAt === null
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

import { inOrder, laterStatus } from './message.ts'
import type { Message, MessageStatus } from './message.ts'

/** Our choice, in ms. */
const GROUP_MS = 300_000
/** Our choice: so many messages are read at once, a screen and what is scrolled to next. */
export const PAGE = 50

/** One gap-free stretch of a conversation's messages, oldest first, as far as it was read. */
export interface Thread {
  readonly conversationId: string
  readonly messages: readonly Message[]
  /** More can be read before the first, or after the last. */
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface MessagePage {
  /** Newest first, as the interface answers. */
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface StatusChange {
  readonly id: string
  readonly status: MessageStatus
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** A thread as its first page shows it. */
export function threadOf(conversationId: string, { messages, hasOlder, hasNewer }: MessagePage): Thread {
  return { conversationId, messages: merged([], messages), hasOlder, hasNewer }
}

/** The thread with an older page before it. */
export function withOlder(thread: Thread, page: MessagePage): Thread {
  return { ...thread, messages: merged(thread.messages, page.messages), hasOlder: page.hasOlder }
}

/** The thread with a newer page behind it. */
export function withNewer(thread: Thread, page: MessagePage): Thread {
  return { ...thread, messages: merged(thread.messages, page.messages), hasNewer: page.hasNewer }
}

/**
 * The thread after a stream that missed something, by the newest page: what was missed may be old, as an import brings
 * it. Where the page has what lies before the end of the thread and is none of it, the page alone is the thread.
 */
export function withNewest(thread: Thread, page: MessagePage): Thread {
  const known = new Set(thread.messages.map(({ id }) => id))
  const last = thread.messages.at(-1)
  const isJoined =
    last === undefined
    || !page.hasOlder
    || (page.messages.some(({ id }) => id === last.id)
      && page.messages.every((message) => known.has(message.id) || inOrder(last, message) < 0))
  return isJoined ? { ...withNewer(thread, page), hasOlder: page.hasOlder } : threadOf(thread.conversationId, page)
}

/**
 * The thread with messages that were told: changes of those it has, or new ones at its end. While the end was not read
 * yet a new one would leave a gap: reading on brings it. Reading on brings old ones too, as an import tells them, once
 * there are more than a page.
 */
export function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  const { hasOlder, hasNewer } = thread
  const [first] = thread.messages
  const known = new Set(thread.messages.map(({ id }) => id))
  const isOld = (message: Message): boolean => first !== undefined && inOrder(message, first) < 0
  const old = messages.filter((message) => !known.has(message.id) && isOld(message)).toSorted(inOrder)
  const room = hasOlder || hasNewer ? 0 : Math.max(0, PAGE - known.size)
  const taken = [
    ...old.slice(Math.max(0, old.length - room)),
    ...messages.filter((message) => known.has(message.id) || !(hasNewer || isOld(message))),
  ]
  const changed = taken.length === 0 ? thread : { ...thread, messages: merged(thread.messages, taken) }
  return hasOlder || old.length <= room ? changed : { ...changed, hasOlder: true }
}

/** The thread with a status that was told; the same thread where that says nothing new. */
export function withStatus(thread: Thread, change: StatusChange): Thread {
  const at = thread.messages.findIndex(({ id }) => id === change.id)
  const message = thread.messages[at]
  if (!message || laterStatus(message.status, change.status) === message.status) return thread
  const messages = thread.messages.with(at, {
    ...message,
    status: change.status,
    errorCode: change.errorCode,
    errorMessage: change.errorMessage,
  })
  return { ...thread, messages }
}

/**
 * Both where one ends before the other begins, as pages and new messages mostly do; null where they are to be merged.
 */
function joined(known: readonly Message[], told: readonly Message[]): readonly Message[] | null {
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return null
  if (told.every((message) => inOrder(message, first) < 0)) return [...told.toSorted(inOrder), ...known]
  return told.every((message) => inOrder(last, message) < 0) ? [...known, ...told.toSorted(inOrder)] : null
}

/**
 * Both without doubles, oldest first. Of a message that is there twice what was told later counts, but no status goes
 * back.
 */
function merged(known: readonly Message[], told: readonly Message[]): readonly Message[] {
  const isEachOnce = new Set(told.map(({ id }) => id)).size === told.length
  const whole = isEachOnce ? joined(known, told) : null
  if (whole) return whole
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of told) {
    const before = byId.get(message.id)
    const isBack = before !== undefined && laterStatus(message.status, before.status) !== message.status
    byId.set(
      message.id,
      isBack
        ? { ...message, status: before.status, errorCode: before.errorCode, errorMessage: before.errorMessage }
        : message,
    )
  }
  return [...byId.values()].sort(inOrder)
}

/** Whether a message that was sent from here is among those of the thread: by the key it was sent with, or its id. */
export function isStored({ messages }: Thread, sent: { readonly key: string; readonly id: string | null }): boolean {
  return messages.some(
    ({ id, correlationId }) => id === sent.id || (correlationId !== null && correlationId === sent.key),
  )
}

/**
 * What a thread shows: messages with the reactions on them, and days between. Reactions stand on their message, not by
 * themselves.
 */
export type ThreadItem =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'unread'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      readonly isFollowing: boolean
      readonly reactions: readonly string[]
    }

/** The key of the line before the first unread message. */
export const UNREAD_KEY = 'unread'

/** What the items of a thread depend on beside it. */
interface ItemsOf {
  /** The first message that was unread when the thread was opened. */
  readonly unreadFrom: string | null
  /** Failed messages by the id of what took their place: they go once that is there. */
  readonly retried: ReadonlyMap<string, string>
  readonly dayOf: (at: string) => string
}

/**
 * The items of a thread, oldest first. While older ones can be read the first message is not among them: what stands
 * before it, a day or others of its writer, is not known yet, and an item that changes as older ones come moves all
 * that is seen.
 */
export function itemsOf(
  { messages, hasOlder }: Thread,
  { unreadFrom, retried, dayOf }: ItemsOf,
): readonly ThreadItem[] {
  const reactions = reactionsOf(messages)
  const gone = goneOf(messages, retried)
  const drawn = messages.filter(
    (message) => !(message.type === 'reaction' && message.reaction) && !gone.has(message.id),
  )
  const first = hasOlder && drawn.length > 1 ? 1 : 0
  return drawn.slice(first).flatMap((message, at): readonly ThreadItem[] => {
    const before = drawn[first + at - 1]
    const lines: ThreadItem[] = []
    const today = dayOf(message.createdAt)
    if (before === undefined || today !== dayOf(before.createdAt))
      lines.push({ kind: 'day', key: `day ${today}`, at: message.createdAt })
    if (message.id === unreadFrom) lines.push({ kind: 'unread', key: UNREAD_KEY })
    const isFollowing = before !== undefined && lines.length === 0 && isOfOneGroup(before, message)
    return [
      ...lines,
      {
        kind: 'message',
        key: message.id,
        message,
        isFollowing,
        reactions: reactions.get(message.externalMessageId ?? '') ?? [],
      },
    ]
  })
}

/** Written by the same, one soon after the other: they are drawn as one group. */
function isOfOneGroup(before: Message, after: Message): boolean {
  return (
    before.direction === after.direction
    && (after.direction === 'OUTBOUND' || before.from === after.from)
    && Date.parse(after.createdAt) - Date.parse(before.createdAt) < GROUP_MS
  )
}

function goneOf(messages: readonly Message[], retried: ReadonlyMap<string, string>): ReadonlySet<string> {
  if (retried.size === 0) return new Set()
  const known = new Set(messages.map(({ id }) => id))
  return new Set([...retried].filter(([, newId]) => known.has(newId)).map(([id]) => id))
}

/**
 * Emoji by the upstream id of the message they are on: of each person the last counts, and one that was taken back is
 * none.
 */
function reactionsOf(messages: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const byPerson = new Map<string, { readonly on: string; readonly emoji: string | null }>()
  for (const { direction, from, reaction } of messages) {
    if (reaction)
      byPerson.set(`${reaction.messageId} ${direction} ${direction === 'INBOUND' ? from : ''}`, {
        on: reaction.messageId,
        emoji: reaction.emoji,
      })
  }
  const found = new Map<string, string[]>()
  for (const { on, emoji } of byPerson.values()) if (emoji) found.set(on, [...(found.get(on) ?? []), emoji])
  return found
}

import { messageKey } from '../../../src/domain/message-key.ts'
import { inOrder, laterStatus } from './message.ts'
import type { Message, MessageStatus } from './message.ts'
import { reactionsOf } from './reactions.ts'

/** Our choice, in ms: messages of one writer within this time are drawn as a group. */
const GROUP_MS = 300_000
/** Our choice, in messages: one page, about a screen and the next stretch of scrolling. */
export const PAGE = 50

/** One gap-free stretch of a conversation's messages, oldest first, as far as it was read. */
export interface Thread {
  readonly conversationId: string
  readonly messages: readonly Message[]
  /** Whether messages can be read before the first one, or after the last one. */
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface MessagePage {
  /** Newest first, as the service answers. */
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export interface StatusChange {
  readonly id: string
  readonly status: MessageStatus
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** What upstream calls a message, once it took it. Older services leave both out. */
  readonly externalMessageId?: string | null
  readonly sentAt?: string | null
}

/** The thread that a first page makes. */
export function threadOf(conversationId: string, { messages, hasOlder, hasNewer }: MessagePage): Thread {
  return { conversationId, messages: merged([], messages), hasOlder, hasNewer }
}

/** The thread with an older page in front. */
export function withOlder(thread: Thread, page: MessagePage): Thread {
  return { ...thread, messages: merged(thread.messages, page.messages), hasOlder: page.hasOlder }
}

/** The thread with a newer page at the end. */
export function withNewer(thread: Thread, page: MessagePage): Thread {
  return { ...thread, messages: merged(thread.messages, page.messages), hasNewer: page.hasNewer }
}

/**
 * The thread after the stream missed events, from the newest page. Missed messages may be old, because an import
 * delivers old ones. The page joins the thread only when it contains the last known message and every unknown message
 * of it is newer; otherwise it replaces the thread, so that no gap is hidden.
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
 * The thread with told messages: changes of those it holds, and new ones at its end. While newer pages are unread, a
 * new message is left out, because it would leave a gap; reading on brings it. Old messages, which an import tells, are
 * taken only while the thread is complete and shorter than a page; `hasOlder` then says that the rest can be read.
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

/** The thread after a status event; the same object when the status is not new. */
export function withStatus(thread: Thread, change: StatusChange): Thread {
  const at = thread.messages.findIndex(({ id }) => id === change.id)
  const message = thread.messages[at]
  if (!message || laterStatus(message.status, change.status) === message.status) return thread
  const messages = thread.messages.with(at, {
    ...message,
    status: change.status,
    errorCode: change.errorCode,
    errorMessage: change.errorMessage,
    externalMessageId: change.externalMessageId ?? message.externalMessageId,
    sentAt: change.sentAt ?? message.sentAt ?? null,
  })
  return { ...thread, messages }
}

/** Both lists joined when one ends before the other begins, which is the usual case; null when they must be merged. */
function joined(known: readonly Message[], told: readonly Message[]): readonly Message[] | null {
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return null
  if (told.every((message) => inOrder(message, first) < 0)) return [...told.toSorted(inOrder), ...known]
  return told.every((message) => inOrder(last, message) < 0) ? [...known, ...told.toSorted(inOrder)] : null
}

/**
 * Both lists without duplicates, oldest first. For a message in both, the later version counts, but its status never
 * goes back.
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
        ? {
            ...message,
            status: before.status,
            errorCode: before.errorCode,
            errorMessage: before.errorMessage,
            externalMessageId: before.externalMessageId ?? message.externalMessageId,
          }
        : message,
    )
  }
  return [...byId.values()].sort(inOrder)
}

/** Whether a message sent from here is in the thread, by the key it was sent with or by its id. */
export function isStored({ messages }: Thread, sent: { readonly key: string; readonly id: string | null }): boolean {
  return messages.some(
    ({ id, correlationId }) => id === sent.id || (correlationId !== null && correlationId === sent.key),
  )
}

/**
 * What a thread draws: messages with their reactions, and days between them. A reaction is drawn on its message, never
 * alone.
 */
export type ThreadItem =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'unread'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      readonly isFollowing: boolean
      /** Messages that are reactions to this one. */
      readonly reactions: readonly Message[]
    }

/** The key of the line before the first unread message. */
export const UNREAD_KEY = 'unread'

/** What the items of a thread depend on besides its messages. */
interface ItemsOf {
  /** The first message that was unread when the thread was opened; null when there was none. */
  readonly unreadFrom: string | null
  /** Failed messages by the id of their replacement: they are hidden once it is there. */
  readonly retried: ReadonlyMap<string, string>
  readonly dayOf: (at: string) => string
}

/**
 * The items of a thread, oldest first. While older messages can be read, the first message is left out: its day
 * separator and its group depend on the message before it, and an item that changes when older ones arrive would move
 * everything on the screen.
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
        reactions: reactions.get(messageKey(message.externalMessageId ?? '')) ?? [],
      },
    ]
  })
}

/** Whether two messages are of the same writer and close in time: they are drawn as one group. */
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

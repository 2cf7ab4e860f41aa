import { batch } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ToldEvent } from '../../ui/stream/live.ts'
import type { SessionView } from '../api/requests.ts'
import type { Conversation, Message } from '../model/message.ts'
import type { StatusChange } from '../model/thread.ts'
import type { Conversations } from './conversation-list.ts'
import type { OpenThread, ToldTyping } from './open-thread.ts'
import type { Outbox } from './outbox.ts'

/** The parts of the inbox that events change. */
export interface Told {
  readonly session: Signal<SessionView | null>
  readonly open: ReadonlySignal<OpenThread | null>
  readonly conversations: Conversations
  readonly outbox: Outbox
  /** The last message that came in, in any conversation. */
  readonly arrived: Signal<Message | null>
  setUnread(total: number): void
  lives(expiresAt: string): void
  refetch(): Promise<void>
  ended(reason: 'EXPIRED' | 'REVOKED'): void
}

interface ToldMessage {
  readonly message: Message
}
interface ToldConversation {
  readonly item: Conversation
}

/** Events of the stream ([embeds.stream.1]) other than messages, and what each does. Unknown events are ignored. */
const ON: Readonly<Record<string, (told: Told, data: never) => void>> = {
  status(told, change: StatusChange & { readonly conversationId: string }) {
    if (told.open.value?.conversationId === change.conversationId) told.open.value.takeStatus(change)
  },
  typing({ open: { value: open } }, typing: ToldTyping) {
    if (open?.conversationId === typing.conversationId) open.typing.value = typing
  },
  conversation(told, { item }: ToldConversation) {
    told.conversations.take(item, told.open.value?.conversationId ?? null)
  },
  number(told, { id, state }: { readonly id: string; readonly state: SessionView['numbers'][number]['state'] }) {
    const session = told.session.value
    if (session)
      told.session.value = {
        ...session,
        numbers: session.numbers.map((number) => (number.id === id ? { ...number, state } : number)),
      }
  },
  unread: (told, { total }: { readonly total: number }) => told.setUnread(total),
  session: (told, { expiresAt }: { readonly expiresAt: string }) => told.lives(expiresAt),
  resync: (told) => void told.refetch(),
  expired: (told, { reason }: { readonly reason: 'EXPIRED' | 'REVOKED' }) => told.ended(reason),
}

/**
 * Applies events that came together. Messages come first, as one change, because each change costs a pass over all
 * drawn messages; of the events of one conversation only the last is applied. The result is the same: no status goes
 * back, and an event carries the whole conversation.
 */
export function applyEvents(told: Told, events: readonly ToldEvent[]): void {
  const conversations = new Map<unknown, ToldEvent>()
  for (const event of events)
    if (event.type === 'conversation') conversations.set((event.data as ToldConversation).item.id, event)
  batch(() => {
    takeMessages(
      told,
      events.filter(({ type }) => type === 'message').map(({ data }) => (data as ToldMessage).message),
    )
    for (const event of events) {
      const isOld =
        event.type === 'conversation' && conversations.get((event.data as ToldConversation).item.id) !== event
      if (!isOld && Object.hasOwn(ON, event.type)) ON[event.type]?.(told, event.data as never)
    }
  })
}

function takeMessages(told: Told, messages: readonly Message[]): void {
  for (const message of messages) told.outbox.arrived(message)
  told.arrived.value = messages.findLast(({ direction }) => direction === 'INBOUND') ?? told.arrived.value
  const open = told.open.value
  const shown = messages.filter(({ conversationId }) => conversationId === open?.conversationId)
  if (shown.length > 0) open?.take(shown)
}

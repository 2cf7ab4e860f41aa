import { batch } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ToldEvent } from '../api/live.ts'
import type { SessionView } from '../api/requests.ts'
import type { Conversation, Message } from '../model/message.ts'
import type { StatusChange } from '../model/thread.ts'
import type { Conversations } from './conversation-list.ts'
import type { OpenThread } from './open-thread.ts'
import type { Outbox } from './outbox.ts'

/** Who is told. */
export interface Told {
  readonly session: Signal<SessionView | null>
  readonly open: ReadonlySignal<OpenThread | null>
  readonly conversations: Conversations
  readonly outbox: Outbox
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

/** Events of the stream ([embeds.stream.1]), but for messages, and what each does. Others are none of ours. */
const ON: Readonly<Record<string, (told: Told, data: never) => void>> = {
  status(told, change: StatusChange & { readonly conversationId: string }) {
    if (told.open.value?.conversationId === change.conversationId) told.open.value.takeStatus(change)
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
 * Does what events of the stream say that came together: messages first, as one change, since each would go through all
 * that is shown; of a conversation the last. Neither makes a difference to what they come to: no status goes back, and
 * a conversation is told whole.
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
  const open = told.open.value
  const shown = messages.filter(({ conversationId }) => conversationId === open?.conversationId)
  if (shown.length > 0) open?.take(shown)
}

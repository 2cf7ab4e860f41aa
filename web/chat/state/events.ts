import type { ReadonlySignal, Signal } from '@preact/signals'
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

/** Events of the stream (contract 17) and what each does. Others are none of ours. */
const ON: Readonly<Record<string, (told: Told, data: never) => void>> = {
  message(told, { message }: { readonly message: Message }) {
    told.outbox.arrived(message)
    if (told.open.value?.conversationId === message.conversationId) told.open.value.take(message)
  },
  status(told, change: StatusChange & { readonly conversationId: string }) {
    if (told.open.value?.conversationId === change.conversationId) told.open.value.takeStatus(change)
  },
  conversation(told, { item }: { readonly item: Conversation }) {
    told.conversations.take(item, told.open.value?.conversationId ?? null)
  },
  number(told, { id, state }: { readonly id: string, readonly state: SessionView['numbers'][number]['state'] }) {
    const session = told.session.value
    if (session) told.session.value = { ...session, numbers: session.numbers.map((number) => number.id === id ? { ...number, state } : number) }
  },
  unread: (told, { total }: { readonly total: number }) => told.setUnread(total),
  session: (told, { expiresAt }: { readonly expiresAt: string }) => told.lives(expiresAt),
  resync: (told) => void told.refetch(),
  expired: (told, { reason }: { readonly reason: 'EXPIRED' | 'REVOKED' }) => told.ended(reason),
}

/** Does what an event of the stream says. */
export function applyEvent(told: Told, type: string, data: unknown): void {
  if (Object.hasOwn(ON, type)) ON[type]?.(told, data as never)
}

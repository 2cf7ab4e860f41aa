import type { NumberId } from '../domain/ids.ts'
import type { InboxChange } from '../ports/inbox-feed.ts'
import type { InboxMessage, InboxStore } from '../ports/stores/inbox-store.ts'
import type { Fresh } from './reading.ts'

/** The rows of a number that were reported as changed. */
export interface Named {
  readonly messageIds: ReadonlySet<string>
  readonly conversationIds: ReadonlySet<string>
  readonly isWhole: boolean
}

interface Wanted {
  readonly fresh: Fresh
  readonly named: ReadonlyMap<NumberId, Named>
  /** Numbers whose unread messages are counted in any case. */
  readonly counted: readonly NumberId[]
}

export interface Told {
  /** The changes in the order in which they are told to readers. */
  readonly changes: readonly { readonly numberId: NumberId; readonly change: InboxChange }[]
  readonly unread: ReadonlyMap<NumberId, number>
}

/**
 * Reads the current rows of all changes, each once: messages in the order they were written, then their conversations.
 */
export async function readChanges(reads: InboxStore, { fresh, named, counted }: Wanted): Promise<Told> {
  const came = new Set<string>([
    ...fresh.messages.map(({ id }) => id),
    ...[...named.values()].flatMap(({ messageIds }) => [...messageIds]),
  ])
  const moved = fresh.moves.map(({ messageId }) => messageId)
  const touched = [
    ...new Set([
      ...fresh.messages.map(({ numberId }) => numberId),
      ...fresh.moves.map(({ numberId }) => numberId),
      ...named.keys(),
    ]),
  ]
  const [messages, unread] = await Promise.all([
    reads.messagesOf(touched, [...new Set([...came, ...moved])]),
    counted.length + touched.length > 0
      ? reads.unread([...new Set([...counted, ...touched])])
      : new Map<NumberId, number>(),
  ])
  const conversationIds = new Set<string>([
    ...messages.map(({ conversationId }) => conversationId),
    ...[...named.values()].flatMap(({ conversationIds: ids }) => [...ids]),
  ])
  const conversations = await reads.conversationsOf(touched, [...conversationIds])
  return {
    unread,
    changes: [
      ...messages
        .toReversed()
        .map((message) => ({ numberId: message.numberId, change: changeOf(message, came.has(message.id)) })),
      ...conversations.map((conversation) => ({
        numberId: conversation.numberId,
        change: { type: 'conversation' as const, conversation },
      })),
    ],
  }
}

function changeOf(message: InboxMessage, isWhole: boolean): InboxChange {
  return { type: isWhole ? 'message' : 'status', message }
}

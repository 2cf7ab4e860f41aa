import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { MessageDirection } from '../../domain/message.ts'
import type { MessageQuery } from '../../ports/stores/inbox-store.ts'
import type { Database } from '../engine/database.ts'
import { Parameters } from '../engine/statement.ts'
import { ALONG_CONVERSATION } from '../messages/store.ts'

/** The message that a page lies beside. */
export interface Anchor {
  readonly id: MessageId
  /** As the database gives it. */
  readonly created_at: string
}

interface Ids {
  readonly ids: readonly MessageId[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

const DIRECTIONS: readonly MessageDirection[] = ['INBOUND', 'OUTBOUND']

/** One side of a place in a conversation, from the place on. */
interface Side {
  readonly isOlder: boolean
  /** Whether the place itself is of this side. */
  readonly isInclusive: boolean
  readonly limit: number
}

/** The ids of a page, in no order; nothing of the conversation beyond it is read, however long it is. */
export async function readSpan(database: Database, conversationId: ConversationId, query: MessageQuery, anchor: Anchor | null): Promise<Ids> {
  const { limit } = query
  const read = (side: Side) => readSide(database, conversationId, anchor, side)
  if (query.side === 'after') {
    const newer = await read({ isOlder: false, isInclusive: false, limit })
    return { ids: newer.ids, hasOlder: true, hasNewer: newer.hasMore }
  }
  if (query.side === 'around') {
    const [older, newer] = await Promise.all([
      read({ isOlder: true, isInclusive: true, limit: Math.ceil(limit / 2) }),
      read({ isOlder: false, isInclusive: false, limit: Math.floor(limit / 2) }),
    ])
    return { ids: [...newer.ids, ...older.ids], hasOlder: older.hasMore, hasNewer: newer.hasMore }
  }
  const older = await read({ isOlder: true, isInclusive: false, limit })
  return { ids: older.ids, hasOlder: older.hasMore, hasNewer: query.side === 'before' }
}

/** The index orders the messages of a direction, so each is read along it and the two are merged. */
async function readSide(database: Database, conversationId: ConversationId, anchor: Anchor | null, { isOlder, isInclusive, limit }: Side): Promise<{ ids: MessageId[], hasMore: boolean }> {
  const p = new Parameters()
  const [conversation, most] = [p.add(conversationId), p.add(limit + 1)]
  const beyond = anchor && `and (created_at, id) ${isOlder ? '<' : '>'}${isInclusive ? '=' : ''} (${p.add(anchor.created_at)}::timestamptz, ${p.add(anchor.id)})`
  const order = isOlder ? 'created_at desc, id desc' : 'created_at, id'
  const parts = DIRECTIONS.map((direction) => `(select id, created_at from ${ALONG_CONVERSATION}
    where conversation_id = ${conversation} and direction = '${direction}' ${beyond ?? ''} order by ${order} limit ${most})`)
  const rows = await database.query<{ id: MessageId }>(`select id from (${parts.join(' union all ')}) side order by ${order} limit ${most}`, p.values)
  return { ids: rows.slice(0, limit).map(({ id }) => id), hasMore: rows.length > limit }
}

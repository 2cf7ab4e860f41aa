import type { ConversationId, MessageId, NumberId } from '../../domain/ids.ts'
import type { MessageDirection } from '../../domain/message.ts'
import { digitsToFind } from '../../domain/phone-reading.ts'
import {
  SEARCHED,
  type ConversationFilter,
  type ConversationPlace,
  type ConversationQuery,
  type ConversationWith,
  type FoundMessage,
  type InboxChanges,
  type InboxConversation,
  type InboxMessage,
  type InboxStore,
  type MessageQuery,
  type MessageSpan,
  type TextQuery,
} from '../../ports/stores/inbox-store.ts'
import type { ConversationMarkStore } from '../../ports/stores/conversation-mark-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { toDate } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'
import { findLed, ledTo } from '../conversations/aliases.ts'
import { peerIdsOf } from '../conversations/conversation-id.ts'
import { alongParts, isOfParts, partsOf } from '../conversations/parts.ts'
import { isWithheld } from '../numbers/retention.ts'
import { SqlInboxChanges } from './changes.ts'
import { SqlConversationMarks } from './marks.ts'
import {
  inboxConversationColumns,
  inboxMessageColumns,
  JOIN_LAST,
  JOIN_MESSAGE,
  toInboxConversation,
  toInboxMessage,
  type InboxConversationRow,
  type InboxMessageRow,
} from './row.ts'

const DIRECTIONS: readonly MessageDirection[] = ['INBOUND', 'OUTBOUND']

/** The conversation of an id or of an alias. */
const FIND_CONVERSATION = `select c.id from conversations c where c.id = ${ledTo('$1')} and c.number_id = any($2::text[])`
const FIND_ANCHOR = `select id, created_at from messages where id = $1 and ${isOfParts('conversation_id', '$2')}`

const FILTERS: Readonly<Record<ConversationFilter, string>> = {
  all: 'and archived_at is null',
  unread: 'and (unread_count > 0 or marked_unread) and archived_at is null',
  archived: 'and archived_at is not null',
  every: '',
}

/**
 * SQL of the newest conversations of some numbers, at most `limit`. Each number is read along its index and no further.
 */
function newestConversations(
  p: Parameters,
  numberIds: readonly NumberId[],
  { filter, before }: Pick<ConversationQuery, 'filter' | 'before'>,
  limit: number,
): string {
  const most = p.add(limit)
  const beyond =
    before
    && `and (last_message_at, last_message_id) < (${p.time(before.lastMessageAt)}, ${p.add(before.lastMessageId)})`
  const parts = numberIds.map(
    (numberId) => `(select * from conversations
    where number_id = ${p.add(numberId)} ${FILTERS[filter]} ${beyond ?? ''} order by last_message_at desc, last_message_id desc limit ${most})`,
  )
  return `select * from (${parts.join(' union all ')}) newest order by last_message_at desc, last_message_id desc limit ${most}`
}

/**
 * SQL of those of the newest SEARCHED conversations whose name or number contains the text; what privacy withholds is
 * not found.
 */
function matchingConversations(
  p: Parameters,
  numberIds: readonly NumberId[],
  query: ConversationQuery,
  text: string,
  now: string,
): string {
  const part = p.add(text.toLowerCase())
  // `+49 151 23` is searched as digits, in which form numbers are stored.
  const digits = digitsToFind(text)
  const isNumber = digits.length > 1 ? `or strpos(c.peer, ${p.add(digits)}) > 0` : ''
  return `select c.* from (${newestConversations(p, numberIds, query, SEARCHED)}) c join channel_numbers n on n.id = c.number_id
    where not ${isWithheld('c.last_message_at', now)} and (strpos(lower(c.peer_name), ${part}) > 0 or strpos(lower(c.peer), ${part}) > 0 ${isNumber})
    order by c.last_message_at desc, c.last_message_id desc limit ${p.add(query.limit + 1)}`
}

/**
 * SQL of the text of a content, which is the first field of its JSON. It is cut out of the text because PostgreSQL
 * refuses some JSON that users wrote.
 */
const TEXT = `substring(m.content from '^\\{"text":"((?:[^"\\\\]|\\\\.)*)"')`

/**
 * SQL of the messages that a search looks through, one part for each order that an index has. A part of a conversation
 * ends by itself: as a part of all it would be sorted whole.
 */
function searchedParts(
  p: Parameters,
  numberIds: readonly NumberId[],
  conversationId: TextQuery['conversationId'],
): readonly string[] {
  if (conversationId === null)
    return numberIds.flatMap((numberId) => {
      const number = p.add(numberId)
      return DIRECTIONS.map(
        (direction) =>
          `(select id, number_id, created_at, content from messages where number_id = ${number} and direction = '${direction}')`,
      )
    })
  const [parts, numbers] = [partsOf(ledTo(p.add(conversationId))), p.add(numberIds)]
  return DIRECTIONS.map((direction) => {
    const conditions = [`number_id = any(${numbers}::text[])`, `direction = '${direction}'`]
    const columns = 'id, number_id, created_at, content'
    return `(${alongParts({ parts, columns, conditions, order: 'created_at desc, id desc', most: String(SEARCHED) })})`
  })
}

/** SQL of the ids of those of the newest SEARCHED messages whose text contains `text`, newest first. */
function newestMatches(
  p: Parameters,
  numberIds: readonly NumberId[],
  { text, limit, conversationId }: TextQuery,
  now: string,
): string {
  const part = p.add(JSON.stringify(text.toLowerCase()).slice(1, -1))
  const parts = searchedParts(p, numberIds, conversationId)
  return `select m.id from (
      select * from (${parts.join(' union all ')}) every order by created_at desc, id desc limit ${SEARCHED}
    ) m join channel_numbers n on n.id = m.number_id
    where strpos(lower(m.content), ${part}) > 0 and strpos(lower(${TEXT}), ${part}) > 0 and not ${isWithheld('m.created_at', now)}
    order by m.created_at desc, m.id desc limit ${p.add(limit)}`
}

/** The message that a page starts from. */
interface Anchor {
  readonly id: MessageId
  /** A time as the database answers it. */
  readonly created_at: string
}

interface Ids {
  readonly ids: readonly MessageId[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

/** One side of an anchor in a conversation. */
interface Side {
  readonly isOlder: boolean
  /** True when the anchor itself belongs to this side. */
  readonly isInclusive: boolean
  readonly limit: number
}

/** The ids of a page, in no order. Nothing of the conversation beyond the page is read, however long it is. */
async function readSpan(
  database: SqlSession,
  conversationId: ConversationId,
  query: MessageQuery,
  anchor: Anchor | null,
): Promise<Ids> {
  const { limit } = query
  const read = (side: Side) => readSide(database, conversationId, anchor, side)
  if (query.side === 'after') {
    const newer = await read({ isOlder: false, isInclusive: false, limit })
    return { ids: newer.ids, hasOlder: true, hasNewer: newer.hasMore }
  }
  if (query.side === 'around' || query.side === 'at') {
    const [older, newer] = await Promise.all([
      read({ isOlder: true, isInclusive: true, limit: Math.ceil(limit / 2) }),
      read({ isOlder: false, isInclusive: false, limit: Math.floor(limit / 2) }),
    ])
    return { ids: [...newer.ids, ...older.ids], hasOlder: older.hasMore, hasNewer: newer.hasMore }
  }
  const older = await read({ isOlder: true, isInclusive: false, limit })
  return { ids: older.ids, hasOlder: older.hasMore, hasNewer: query.side === 'before' }
}

/**
 * Reads one side. The index orders the messages of each direction, so each direction is read along it and the two are
 * merged.
 */
async function readSide(
  database: SqlSession,
  conversationId: ConversationId,
  anchor: Anchor | null,
  { isOlder, isInclusive, limit }: Side,
): Promise<{ ids: MessageId[]; hasMore: boolean }> {
  const p = new Parameters()
  const [conversation, most] = [p.add(conversationId), p.add(limit + 1)]
  const beyond =
    anchor
    && `(created_at, id) ${isOlder ? '<' : '>'}${isInclusive ? '=' : ''} (${p.add(anchor.created_at)}::timestamptz, ${p.add(anchor.id)})`
  const order = isOlder ? 'created_at desc, id desc' : 'created_at, id'
  const sides = DIRECTIONS.map((direction) => {
    const conditions = [`direction = '${direction}'`, ...(beyond === null ? [] : [beyond])]
    return `(${alongParts({ parts: partsOf(conversation), columns: 'id, created_at', conditions, order, most })})`
  })
  const rows = await database.query<{ id: MessageId }>(
    `select id from (${sides.join(' union all ')}) side order by ${order} limit ${most}`,
    p.values,
  )
  return { ids: rows.slice(0, limit).map(({ id }) => id), hasMore: rows.length > limit }
}

/** The inbox as rows. */
class SqlInboxStore implements InboxStore {
  readonly #database: Engine['database']
  readonly #cipher: Engine['cipher']
  readonly #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async conversations(
    numberIds: readonly NumberId[],
    query: ConversationQuery,
  ): Promise<{ items: readonly InboxConversation[]; next: ConversationPlace | null }> {
    if (numberIds.length === 0) return { items: [], next: null }
    const p = new Parameters()
    const now = p.add(this.#now())
    const found =
      query.search === null
        ? newestConversations(p, numberIds, query, query.limit + 1)
        : matchingConversations(p, numberIds, query, query.search, now)
    const rows = await this.#database.query<InboxConversationRow>(
      `select ${inboxConversationColumns(now)} from (${found}) c ${JOIN_LAST} order by c.last_message_at desc, c.last_message_id desc limit ${p.add(query.limit + 1)}`,
      p.values,
    )
    const shown = rows.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      items: shown.map(toInboxConversation),
      next:
        last && rows.length > query.limit
          ? { lastMessageAt: toDate(last.last_message_at), lastMessageId: last.last_message_id }
          : null,
    }
  }

  async conversationsOf(
    numberIds: readonly NumberId[],
    ids: readonly (ConversationId | string)[],
  ): Promise<readonly InboxConversation[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<InboxConversationRow>(
      `select ${inboxConversationColumns('$3')} from conversations c ${JOIN_LAST}
      where c.id in (select ${ledTo('given.id')} from unnest($1::text[]) as given (id)) and c.number_id = any($2::text[])`,
      [ids, numberIds, this.#now()],
    )
    return rows.map(toInboxConversation)
  }

  async conversationWith(numberId: NumberId, address: string): Promise<ConversationWith> {
    const ids = peerIdsOf(this.#cipher, numberId, address)
    const [conversation = null] = await this.conversationsOf([numberId], [await findLed(this.#database, ids)])
    return { id: conversation?.id ?? ids.id, conversation }
  }

  async messages(
    numberIds: readonly NumberId[],
    conversationId: ConversationId | string,
    query: MessageQuery,
  ): Promise<MessageSpan | null> {
    const found = await this.#database.query<{ id: ConversationId }>(FIND_CONVERSATION, [conversationId, numberIds])
    const conversation = found[0]?.id
    if (!conversation) return null
    const anchor = await this.#anchor(conversation, query)
    if (anchor === undefined) return null
    const { ids, hasOlder, hasNewer } = await readSpan(this.#database, conversation, query, anchor)
    return { messages: await this.messagesOf(numberIds, ids), hasOlder, hasNewer }
  }

  /** Undefined when the conversation does not have the message. */
  async #anchor(conversation: ConversationId, query: MessageQuery): Promise<Anchor | null | undefined> {
    if (query.side === 'newest') return null
    // No id is smaller, so everything of that time lies behind it.
    if (query.side === 'at') return { id: '' as MessageId, created_at: query.time.toISOString() }
    return (await this.#database.query<Anchor>(FIND_ANCHOR, [query.of, conversation]))[0]
  }

  async messagesOf(
    numberIds: readonly NumberId[],
    ids: readonly (MessageId | string)[],
  ): Promise<readonly InboxMessage[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<InboxMessageRow>(
      `select ${inboxMessageColumns('$3')} from messages m ${JOIN_MESSAGE}
      where m.id = any($1::text[]) and m.number_id = any($2::text[]) order by m.created_at desc, m.id desc`,
      [ids, numberIds, this.#now()],
    )
    return rows.map(toInboxMessage)
  }

  async search(numberIds: readonly NumberId[], query: TextQuery): Promise<readonly FoundMessage[]> {
    if (numberIds.length === 0) return []
    const p = new Parameters()
    const sql = newestMatches(p, numberIds, query, p.add(this.#now()))
    const ids = (await this.#database.query<{ id: MessageId }>(sql, p.values)).map(({ id }) => id)
    const messages = await this.messagesOf(numberIds, ids)
    const conversations = new Map(
      (await this.conversationsOf(numberIds, [...new Set(messages.map((message) => message.conversationId))])).map(
        (one) => [one.id, one],
      ),
    )
    return messages.flatMap((message) => {
      const conversation = conversations.get(message.conversationId)
      return conversation ? [{ message, conversation }] : []
    })
  }

  async unread(numberIds: readonly NumberId[]): Promise<ReadonlyMap<NumberId, number>> {
    const rows = await this.#database.query<{ id: NumberId; unread: number }>(
      `select given.id, coalesce((
        select sum(k.unread) from number_counts k where k.number_id = given.id and k.direction = 'INBOUND'), 0)::integer + coalesce((
        select sum(case when c.archived_at is not null then -c.unread_count when c.unread_count = 0 then 1 end) from conversations c
        where c.number_id = given.id and (c.marked_unread or (c.archived_at is not null and c.unread_count > 0))), 0)::integer as unread
      from unnest($1::text[]) as given (id)`,
      [numberIds],
    )
    return new Map(rows.map(({ id, unread }) => [id, unread]))
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** The inbox over an open database: its reads, its changes and what people note in it. */
export function openInbox(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>): {
  readonly inboxReads: InboxStore
  readonly inboxChanges: InboxChanges
  readonly conversationMarks: ConversationMarkStore
} {
  return {
    inboxReads: new SqlInboxStore(engine),
    inboxChanges: new SqlInboxChanges(engine),
    conversationMarks: new SqlConversationMarks(engine),
  }
}

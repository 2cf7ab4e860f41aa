import type { ConversationId, MessageId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type { Conversation, ConversationType, Message } from '../../domain/message.ts'
import type {
  ChatOfMessage,
  GroupQuery,
  HistoryQuery,
  ListedMessage,
  MessageStore,
  Page,
  Paged,
  ReadMark,
  Talk,
} from '../../ports/stores/message-store.ts'
import { peerIdsOf } from '../conversations/conversation-id.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { AcceptedSends } from './lanes.ts'
import { ledTo, ledToBy } from '../conversations/aliases.ts'
import { alongParts, isOfParts, partsOf } from '../conversations/parts.ts'
import { isWithheld } from '../numbers/retention.ts'
import { numberCountsCte } from './counts.ts'
import { idsOf, shownId } from '../message-keys/ids.ts'
import { purgeMessages } from './purge.ts'
import {
  conversationColumns,
  LISTED_JOINS,
  listedColumns,
  messageColumns,
  toConversation,
  toListed,
  toMessage,
  type ConversationRow,
  type ListedRow,
  type MessageRow,
} from './row.ts'
import type { SqlParameter, SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import type { Purged } from '../engine/purge.ts'
import { between, type DateRange, dayOf, Parameters } from '../engine/statement.ts'
import { conversationTotalSql, numberTotalSql, ofNumber, partsWith, type TotalScope } from './totals.ts'

/** Reason of a message that was not canceled. */
const NOT_WAITING = 'No message of this id waits for its deliverAt'

/** Cancels messages that wait for their time and were never tried. `$2` are ids, `$3` is the present. */
const CANCEL = `with locked as (
    select id from messages where number_id = $1 and id = any($2::text[]) and due_at > $3::timestamptz and attempts = 0 order by id for update
  )
  update messages m set status = 'CANCELED', outgoing = null, due_at = null, not_before = null,
    to_address = case when n.pii_mode <> 'RELAY_ONLY' then m.to_address end
  from locked, channel_numbers n
  where m.id = locked.id and m.number_id = $1 and n.id = m.number_id and m.due_at > $3::timestamptz and m.attempts = 0
  returning m.id`

/** Our choice: most read messages that upstream is told of, the newest; it shows older ones as read with them. */
const TOLD = 1_000

/** SQL that locks the conversations of the CTE `wanted` before messages are marked, in one order everywhere. */
const LOCKED = `locked as (
    select c.id from conversations c where c.number_id = $1 and c.id in (select led_id from wanted) order by c.id for no key update
  )`

/**
 * SQL that marks unread messages of `locked`, and takes from the counts only what it marked, so that what comes in
 * meanwhile stays counted.
 */
const MARKED = `marked as (
    update messages m set is_unread = false, read_at = $3::timestamptz from wanted, locked
    where m.id = wanted.id and wanted.led_id = locked.id and m.number_id = $1 and m.is_unread
    returning m.id, locked.id as led_id, m.conversation_type, ${shownId('m')} as external_id, m.created_at
  ), lowered as (
    update conversations c set unread_count = greatest(0, c.unread_count - k.count), marked_unread = false
    from (select led_id, count(*)::integer as count from marked group by led_id) k where c.id = k.led_id and c.number_id = $1
  ), ${numberCountsCte(`select $1 as number_id, 'INBOUND' as direction, conversation_type, ${dayOf('created_at')} as day, 0 as messages, -1 as unread, 0 as conversations from marked`)}, newest as (
    select external_id, created_at, id from marked order by created_at desc, id desc limit ${TOLD}
  )`

const ANSWER = `(select count(*)::integer from marked) as count, (select count(distinct led_id) from wanted) > (select count(*) from locked) as is_joined,
    (select coalesce(json_agg(external_id order by created_at, id) filter (where external_id is not null), '[]')::text from newest) as external_ids`

/** Marks all of conversation `$2`, or of the one that it was merged into; answers no row when there is none. */
const MARK_CONVERSATION = `with wanted as (
    select id, ${ledTo('$2')} as led_id from messages where number_id = $1 and ${isOfParts('conversation_id', ledTo('$2'))} and is_unread
  ), ${LOCKED}, ${MARKED}, unmarked as (
    update conversations c set marked_unread = false
    where c.number_id = $1 and c.id = ${ledTo('$2')} and c.marked_unread and not exists (select 1 from marked) returning c.id
  )
  select ${ANSWER}, exists (select 1 from unmarked) as was_marked from conversations where number_id = $1 and id = ${ledTo('$2')}`

/** Marks the messages whose service id or upstream id is in `$2`; see `idsOf`. */
const MARK_MESSAGES = `with wanted as (
    select id, ${ledTo('messages.conversation_id')} as led_id from messages where number_id = $1 and (id = any($2::text[]) or external_id = any($2::text[])) and is_unread
  ), ${LOCKED}, ${MARKED}
  select ${ANSWER}`

/** The last message that came in of conversation `c`, told by a person and not by upstream. */
const LAST_INBOUND = alongParts({
  parts: partsOf('c.id'),
  columns: `${shownId('messages')} as shown_id, created_at, id`,
  conditions: ["direction = 'INBOUND'", 'external_id is not null', "type <> 'system'"],
  order: 'created_at desc, id desc',
  most: '1',
})

interface ChatRow {
  readonly type: ConversationType
  readonly peer: string | null
  readonly is_there: boolean
}

interface MarkRow {
  readonly count: number
  /** A conversation joined another one meanwhile, and nothing of it was marked. */
  readonly is_joined: boolean
  /** The conversation had no unread messages, but was marked as unread. */
  readonly was_marked?: boolean
  readonly external_ids: string
}

const NEWEST_FIRST = 'created_at desc, id desc'

/**
 * The messages of a list: SQL of their ids and times, of which the newest `most` are enough, and the statement that
 * counts them.
 */
interface ListPlan {
  readonly found: (p: Parameters, most: number) => string
  readonly total: (p: Parameters) => string
}

/** Messages as rows, with the accepting of sends. */
export class SqlMessageStore extends AcceptedSends implements MessageStore, Purged {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onChanged: Engine['onChanged']

  constructor({ database, cipher, clock, onChanged }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>) {
    super({ database, cipher, clock })
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onChanged = onChanged
  }

  async find(numberId: NumberId, anyId: string): Promise<Message | null> {
    const rows = await this.#database.query<MessageRow>(
      `select ${messageColumns('$3')} from (
        select *, 0 as place from messages where number_id = $1 and id = $2
        union all (select *, 1 from messages where number_id = $1 and correlation_id = $2 and correlation_id <> id order by position desc limit 1)
        union all select *, 2 from messages where number_id = $1 and external_id = any($4::text[])
      ) m join channel_numbers n on n.id = m.number_id order by m.place limit 1`,
      [numberId, anyId, this.#now(), idsOf([anyId])],
    )
    return rows[0] ? toMessage(rows[0]) : null
  }

  async chatOf(numberId: NumberId, messageId: MessageId, address: string): Promise<ChatOfMessage | null> {
    const { id, others } = peerIdsOf(this.#cipher, numberId, address)
    const [row] = await this.#database.query<ChatRow>(
      `select c.type, case when not ${isWithheld('m.created_at', '$4')} then c.peer end as peer, c.id = ${ledToBy('$3', '$5::text[]')} as is_there
      from messages m join conversations c on c.id = ${ledTo('m.conversation_id')} join channel_numbers n on n.id = m.number_id
      where m.number_id = $1 and m.id = $2`,
      [numberId, messageId, id, this.#now(), others],
    )
    return row ? { to: row.peer === null ? null : { type: row.type, address: row.peer }, isThere: row.is_there } : null
  }

  async talkOf(numberId: NumberId, by: { conversationId: string } | { address: string }): Promise<Talk | null> {
    const { id, others } =
      'address' in by ? peerIdsOf(this.#cipher, numberId, by.address) : { id: by.conversationId, others: null }
    const [row] = await this.#database.query<{ address: string | null; last_inbound_id: string | null }>(
      `select case when not ${isWithheld('c.last_message_at', '$3')} then c.peer end as address,
        (select shown_id from (${LAST_INBOUND}) came order by created_at desc, id desc limit 1) as last_inbound_id
      from conversations c join channel_numbers n on n.id = c.number_id
      where c.number_id = $1 and c.id = ${ledToBy('$2', '$4::text[]')}`,
      [numberId, id, this.#now(), others],
    )
    return row ? { address: row.address, lastInboundId: row.last_inbound_id } : null
  }

  async templateOf(numberId: NumberId, anyId: string): Promise<TemplateId | null> {
    const rows = await this.#database.query<{ template_id: TemplateId | null }>(
      `select template_id from messages where number_id = $1 and id = $2
      union all select template_id from messages where number_id = $1 and external_id = any($3::text[])`,
      [numberId, anyId, idsOf([anyId])],
    )
    return rows[0]?.template_id ?? null
  }

  async isQueued(tenantId: TenantId, accountId: string, templateId: TemplateId): Promise<boolean> {
    const rows = await this.#database.query(
      `select 1 from channel_numbers n join messages m on m.number_id = n.id
      where n.tenant_id = $1 and n.official_account_id = $2 and m.due_at <= $4::timestamptz and m.status = 'QUEUED' and m.template_id = $3 limit 1`,
      [tenantId, accountId, templateId, this.#now()],
    )
    return rows.length > 0
  }

  async cancel(numberId: NumberId, ids: readonly string[]): ReturnType<MessageStore['cancel']> {
    const wanted = [...new Set(ids)]
    const rows = await despiteDeadlock(() =>
      this.#database.query<{ id: MessageId }>(CANCEL, [numberId, wanted, this.#now()]),
    )
    const canceled = new Map(rows.map(({ id }) => [id as string, id]))
    return {
      cancelled: wanted.flatMap((id) => canceled.get(id) ?? []),
      failed: wanted.filter((id) => !canceled.has(id)).map((id) => ({ id, reason: NOT_WAITING })),
    }
  }

  async history(numberId: NumberId, query: HistoryQuery): Promise<Paged<ListedMessage>> {
    return this.#list(
      query,
      this.#counted(
        { numberId, direction: query.direction, types: (column) => `${column} <> 'NEWSLETTER'` },
        query.peer,
        query,
      ),
    )
  }

  async ofGroups(numberId: NumberId, query: GroupQuery): Promise<Paged<ListedMessage>> {
    return this.#list(
      query,
      this.#counted(
        { numberId, direction: query.direction, types: (column) => `${column} = 'GROUP'` },
        query.groupId,
        query,
      ),
    )
  }

  /**
   * Reads from the primary, where messages are marked: a client that marks messages read and asks again sees none of
   * them.
   */
  async unread(numberId: NumberId, page: Page): Promise<Paged<ListedMessage>> {
    return this.#list(
      page,
      {
        found: (p) => `select id, created_at from messages where number_id = ${p.add(numberId)} and is_unread`,
        total: (p) =>
          `select coalesce(sum(unread), 0)::integer as total from number_counts where number_id = ${p.add(numberId)} and direction = 'INBOUND'`,
      },
      this.#database,
    )
  }

  async conversations(numberId: NumberId, { page, pageSize }: Page): Promise<Paged<Conversation>> {
    const [rows, counts] = await Promise.all([
      this.#database.lists.query<ConversationRow>(
        `select ${conversationColumns('$2')} from (
          select * from conversations where number_id = $1 order by last_message_at desc, last_message_id desc limit $3 offset $4
        ) c join channel_numbers n on n.id = c.number_id left join messages m on m.id = c.last_message_id and m.number_id = c.number_id
        order by c.last_message_at desc, c.last_message_id desc`,
        [numberId, this.#now(), pageSize, (page - 1) * pageSize],
      ),
      this.#database.lists.query<{ total: number }>(
        'select coalesce(sum(conversations), 0)::integer as total from number_counts where number_id = $1',
        [numberId],
      ),
    ])
    return { items: rows.map(toConversation), total: counts[0]?.total ?? 0 }
  }

  async markConversationRead(numberId: NumberId, conversationId: ConversationId | string): Promise<ReadMark | null> {
    const rows = await this.#mark(MARK_CONVERSATION, [numberId, conversationId, this.#now()])
    if (rows[0] && (rows[0].count > 0 || rows[0].was_marked))
      this.#onChanged({ numberId, messageIds: [], conversationIds: [conversationId], isWhole: false })
    return rows[0] ? toMark(rows[0]) : null
  }

  async markRead(numberId: NumberId, messageIds: readonly string[]): Promise<ReadMark> {
    const rows = await this.#mark(MARK_MESSAGES, [numberId, idsOf(messageIds), this.#now()])
    if (rows[0] && rows[0].count > 0) this.#onChanged({ numberId, messageIds, conversationIds: [], isWhole: false })
    return toMark(rows[0] ?? { count: 0, is_joined: false, external_ids: '[]' })
  }

  /** Marks again what joined another conversation between the look at it and its lock. */
  async #mark(statement: string, values: readonly SqlParameter[]): Promise<MarkRow[]> {
    const mark = () => despiteDeadlock(() => this.#database.query<MarkRow>(statement, values))
    const rows = await mark()
    return rows[0]?.is_joined ? mark() : rows
  }

  purge(): Promise<number> {
    return purgeMessages({ database: this.#database, clock: this.#clock })
  }

  /** A list of a number's messages, or of its conversation with one peer. */
  #counted(scope: TotalScope, peer: string | null, range: DateRange): ListPlan {
    if (peer === null) {
      const ofRange = (p: Parameters) => [...ofNumber(p, scope), ...between(p, range)].join(' and ')
      return {
        found: (p) => `select id, created_at from messages where ${ofRange(p)}`,
        total: (p) => numberTotalSql(p, scope, range),
      }
    }
    const ids = peerIdsOf(this.#cipher, scope.numberId, peer)
    return {
      found: (p, most) =>
        alongParts({
          parts: partsWith(p, scope, ids),
          columns: 'id, created_at',
          conditions: [`direction = ${p.add(scope.direction)}`, ...between(p, range)],
          order: NEWEST_FIRST,
          most: p.add(most),
        }),
      total: (p) => conversationTotalSql(p, scope, ids, range),
    }
  }

  /** The ids of a page come from the index alone; their rows are read afterwards. */
  async #list(
    { page, pageSize }: Page,
    { found, total }: ListPlan,
    session: SqlSession = this.#database.lists,
  ): Promise<Paged<ListedMessage>> {
    const [p, q] = [new Parameters(), new Parameters()]
    const now = p.add(this.#now())
    const sql = `select ${listedColumns(now)} from (
        select id from (${found(p, page * pageSize)}) found order by ${NEWEST_FIRST} limit ${p.add(pageSize)} offset ${p.add((page - 1) * pageSize)}
      ) page join messages m on m.id = page.id ${LISTED_JOINS}
      order by m.created_at desc, m.id desc`
    const [rows, counts] = await Promise.all([
      session.query<ListedRow>(sql, p.values),
      session.query<{ total: number }>(total(q), q.values),
    ])
    return { items: rows.map(toListed), total: counts[0]?.total ?? 0 }
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function toMark({ count, external_ids: ids }: MarkRow): ReadMark {
  return { count, externalMessageIds: JSON.parse(ids) as string[] }
}

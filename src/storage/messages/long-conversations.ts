import type { Database } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { dayOf } from '../engine/statement.ts'
import { CONVERSATION_KEY } from './counts.ts'
import { CountedConversationEntity } from './counts-entity.ts'

/** Sizes that decide when a conversation is long, and how that is found. */
export interface LongSizes {
  /**
   * Messages above which a conversation is counted by day. A shorter one is counted by its index: 5,000 take about a
   * millisecond.
   */
  readonly long: number
  /**
   * One of this many messages is looked at, a random one each time, and its conversation is measured. A look costs a
   * few microseconds per message, and the chance that a conversation goes unseen until it is twice as long is one in
   * 20,000.
   */
  readonly stride: number
  /** Messages that one statement looks at. */
  readonly looks: number
}

/** Our choice. */
const SIZES: LongSizes = { long: 5_000, stride: 500, looks: 100 }

/**
 * SQL that looks at messages stored since the last look, and begins to count conversations that are long. One node
 * looks at a time; the others find nothing to look at. Answers how many messages were looked at. Sizes and limits are
 * part of the text, and messages are looked up one by one: the planner would take unknown numbers for large ones, read
 * the whole table, and compile the statement for a second (measured).
 */
function findSql({ long, stride, looks }: LongSizes): string {
  return `with progress as (
    select p.position, least(${looks}, (coalesce((select max(position) from messages), 0) - p.position) / ${stride}) as looks from counting_progress p limit 1 for update skip locked
  ), looked as (
    select position + nth * ${stride} + 1 + floor(random() * ${stride})::bigint as position from progress, generate_series(0, ${looks - 1}) as nth where nth < looks
  ), seen as (
    select distinct m.number_id, m.conversation_id from looked cross join lateral (
      select number_id, conversation_id from messages where position = looked.position limit 1) m
    where (m.number_id, m.conversation_id) not in (select number_id, conversation_id from counted_conversations)
  ), numbers as (
    select id from channel_numbers where id in (select number_id from seen) order by id for key share
  ), found as (
    insert into counted_conversations (number_id, conversation_id, is_complete)
    select number_id, conversation_id, false from seen where number_id in (select id from numbers)
      and (select count(*) from (select 1 from messages m where m.conversation_id = seen.conversation_id limit ${long + 1}) few) > ${long}
    order by number_id, conversation_id
    on conflict do nothing
  ), moved as (
    update counting_progress c set position = c.position + p.looks * ${stride} from progress p where p.looks > 0
  )
  select looks::integer as looks from progress`
}

/**
 * Completes the counts of conversation `$2` of number `$1`: adds, for each day, the messages that its counts lack.
 * Messages and counts are of the one snapshot of this statement, and every statement that stores or deletes changes
 * both together. So the difference is what was stored before counting began, whatever is stored meanwhile, and it is
 * added to the counts as they are by then. Of two that complete at once the second waits, and finds it done.
 */
const COMPLETE = `with number as (
    select id from channel_numbers where id = $1 for key share
  ), completed as (
    update counted_conversations set is_complete = true
    where number_id = (select id from number) and conversation_id = $2 and not is_complete returning 1
  ), missing as (
    select ${CONVERSATION_KEY}, sum(messages) as messages from (
      select number_id, conversation_id, direction, conversation_type, ${dayOf('created_at')} as day, count(*) as messages
      from messages where number_id = $1 and conversation_id = $2 group by 1, 2, 3, 4, 5
      union all select ${CONVERSATION_KEY}, -messages from conversation_counts where number_id = $1 and conversation_id = $2
    ) counted group by ${CONVERSATION_KEY} having sum(messages) <> 0
  )
  insert into conversation_counts as c (${CONVERSATION_KEY}, messages)
  select ${CONVERSATION_KEY}, messages from missing where exists (select 1 from completed) order by ${CONVERSATION_KEY}
  on conflict (${CONVERSATION_KEY}) do update set messages = c.messages + excluded.messages`

const COUNTED = rowsOf(CountedConversationEntity).without('isComplete')
const OPEN = `select ${COUNTED.list()} from counted_conversations where not is_complete order by number_id, conversation_id`

/**
 * Statements under way that may store or delete messages: such a statement locks the table before it looks at any row.
 */
const WRITERS = `select distinct virtualtransaction as id from pg_locks
  where relation = '"messages"'::regclass and database = (select oid from pg_database where datname = current_database()) and mode = 'RowExclusiveLock'`

/**
 * Finds conversations that have become long, and begins to count them by day. Once a conversation is in
 * `counted_conversations`, every statement that begins later counts what it stores. When the statements that began
 * before are over, what they and all before them stored is counted at once (COMPLETE). Nobody waits for it; until then
 * the conversation is counted by its index.
 */
export class LongConversations {
  #database: Database
  #find: string
  #looks: number
  #begun: {
    readonly conversations: readonly ReturnType<typeof COUNTED.read>[]
    readonly writers: ReadonlySet<string>
  } | null = null

  constructor({ database }: { readonly database: Database }, sizes: LongSizes = SIZES) {
    this.#database = database
    this.#find = findSql(sizes)
    this.#looks = sizes.looks
  }

  /** One turn: completes what the turn before began, and looks for more. Answers true when there is more to look at. */
  async look(): Promise<boolean> {
    await this.#complete()
    const rows = await this.#database.chores.query<{ looks: number }>(this.#find)
    await this.#begin()
    return rows[0]?.looks === this.#looks
  }

  /** Conversations are read first: a writer that starts later and is not among `writers` counts what it stores. */
  async #begin(): Promise<void> {
    if (this.#begun !== null) return
    const conversations = (await this.#database.chores.query<RowIn<typeof COUNTED>>(OPEN)).map(COUNTED.read)
    if (conversations.length === 0) return
    const writers = await this.#database.chores.query<{ id: string }>(WRITERS)
    this.#begun = { conversations, writers: new Set(writers.map(({ id }) => id)) }
  }

  async #complete(): Promise<void> {
    if (this.#begun === null) return
    const { conversations, writers } = this.#begun
    if (writers.size > 0) {
      const present = await this.#database.chores.query<{ id: string }>(WRITERS)
      if (present.some(({ id }) => writers.has(id))) return
    }
    for (const { numberId, conversationId } of conversations) {
      await despiteDeadlock(() => this.#database.chores.query(COMPLETE, [numberId, conversationId]))
    }
    this.#begun = null
  }
}

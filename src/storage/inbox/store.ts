import type { ConversationId, MessageId, NumberId } from '../../domain/ids.ts'
import type { ConversationPlace, ConversationQuery, FoundMessage, InboxChanges, InboxConversation, InboxMessage, InboxStore, MessageQuery, MessageSpan } from '../../ports/stores/inbox-store.ts'
import type { MediaFactStore } from '../../ports/stores/media-fact-store.ts'
import type { Engine } from '../engine/engine.ts'
import { toDate } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'
import { ledTo } from '../messages/aliases-sql.ts'
import { SqlInboxChanges } from './changes.ts'
import { inboxConversationColumns, inboxMessageColumns, JOIN_LAST, JOIN_MESSAGE, toInboxConversation, toInboxMessage, type InboxConversationRow, type InboxMessageRow } from './row.ts'
import { SqlMediaFacts } from './media-facts.ts'
import { matchingConversations, newestConversations, newestMatches } from './search.ts'
import { readSpan, type Anchor } from './span.ts'

/** The conversation, by whatever id it goes. */
const FIND_CONVERSATION = `select c.id from conversations c where c.id = ${ledTo('$1')} and c.number_id = any($2::text[])`
const FIND_ANCHOR = 'select id, created_at from messages where id = $1 and conversation_id = $2'

/** The inbox as rows. */
class SqlInboxStore implements InboxStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async conversations(numberIds: readonly NumberId[], query: ConversationQuery): Promise<{ items: readonly InboxConversation[], next: ConversationPlace | null }> {
    if (numberIds.length === 0) return { items: [], next: null }
    const p = new Parameters()
    const now = p.add(this.#now())
    const found = query.search === null ? newestConversations(p, numberIds, query, query.limit + 1) : matchingConversations(p, numberIds, query, query.search, now)
    const rows = await this.#database.query<InboxConversationRow>(
      `select ${inboxConversationColumns(now)} from (${found}) c ${JOIN_LAST} order by c.last_message_at desc, c.last_message_id desc limit ${p.add(query.limit + 1)}`, p.values)
    const shown = rows.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      items: shown.map(toInboxConversation),
      next: last && rows.length > query.limit ? { lastMessageAt: toDate(last.last_message_at), lastMessageId: last.last_message_id } : null,
    }
  }

  async conversationsOf(numberIds: readonly NumberId[], ids: readonly (ConversationId | string)[]): Promise<readonly InboxConversation[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<InboxConversationRow>(`select ${inboxConversationColumns('$3')} from conversations c ${JOIN_LAST}
      where c.id in (select ${ledTo('given.id')} from unnest($1::text[]) as given (id)) and c.number_id = any($2::text[])`, [ids, numberIds, this.#now()])
    return rows.map(toInboxConversation)
  }

  async messages(numberIds: readonly NumberId[], conversationId: ConversationId | string, query: MessageQuery): Promise<MessageSpan | null> {
    const found = await this.#database.query<{ id: ConversationId }>(FIND_CONVERSATION, [conversationId, numberIds])
    const conversation = found[0]?.id
    if (!conversation) return null
    const anchor = query.side === 'newest' ? null : (await this.#database.query<Anchor>(FIND_ANCHOR, [query.of, conversation]))[0]
    if (anchor === undefined) return null
    const { ids, hasOlder, hasNewer } = await readSpan(this.#database, conversation, query, anchor)
    return { messages: await this.messagesOf(numberIds, ids), hasOlder, hasNewer }
  }

  async messagesOf(numberIds: readonly NumberId[], ids: readonly (MessageId | string)[]): Promise<readonly InboxMessage[]> {
    if (ids.length === 0) return []
    const rows = await this.#database.query<InboxMessageRow>(`select ${inboxMessageColumns('$3')} from messages m ${JOIN_MESSAGE}
      where m.id = any($1::text[]) and m.number_id = any($2::text[]) order by m.created_at desc, m.id desc`, [ids, numberIds, this.#now()])
    return rows.map(toInboxMessage)
  }

  async search(numberIds: readonly NumberId[], text: string, limit: number): Promise<readonly FoundMessage[]> {
    if (numberIds.length === 0) return []
    const p = new Parameters()
    const sql = newestMatches(p, numberIds, text, p.add(this.#now()), limit)
    const ids = (await this.#database.query<{ id: MessageId }>(sql, p.values)).map(({ id }) => id)
    const messages = await this.messagesOf(numberIds, ids)
    const conversations = new Map((await this.conversationsOf(numberIds, [...new Set(messages.map((message) => message.conversationId))])).map((one) => [one.id, one]))
    return messages.flatMap((message) => {
      const conversation = conversations.get(message.conversationId)
      return conversation ? [{ message, conversation }] : []
    })
  }

  async unread(numberIds: readonly NumberId[]): Promise<ReadonlyMap<NumberId, number>> {
    const rows = await this.#database.query<{ id: NumberId, unread: number }>(`select given.id, coalesce((
        select sum(k.unread) from number_counts k where k.number_id = given.id and k.direction = 'INBOUND'), 0)::integer as unread
      from unnest($1::text[]) as given (id)`, [numberIds])
    return new Map(rows.map(({ id, unread }) => [id, unread]))
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** The inbox over an open database: what it reads, and what changes. */
export function openInbox(engine: Pick<Engine, 'database' | 'clock' | 'onChanged'>): { readonly inboxReads: InboxStore, readonly inboxChanges: InboxChanges, readonly mediaFacts: MediaFactStore } {
  return { inboxReads: new SqlInboxStore(engine), inboxChanges: new SqlInboxChanges(engine), mediaFacts: new SqlMediaFacts(engine) }
}

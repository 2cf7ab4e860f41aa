import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { Fence } from '../../ports/leases.ts'
import type { InboxResult, NamedPeer } from '../../ports/stores/message-inbox.ts'
import type { Engine } from '../engine/engine.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import { fencedColumns, fenceFields, ownedCtes, runFenced, type FencedItem } from '../engine/fence.ts'
import { PURGE_BATCH } from '../engine/purge.ts'
import { toRecordset } from '../engine/rows.ts'
import { dayOf, isRow } from '../engine/statement.ts'
import { JOIN_REFERRALS } from '../referrals/sql.ts'
import { conversationIdOf } from './conversation-id.ts'
import { moveCountsCtes, numberCountsCte } from './counts.ts'

/** SQL of the conversation that `id` leads to; `id` is the SQL of the id that an address makes. */
export function ledTo(id: string): string {
  return `coalesce((select a.conversation_id from conversation_aliases a where a.id = ${id}), ${id})`
}

/**
 * SQL of the conversation of an address. Digits name the conversation itself, and groups and newsletters have one name,
 * so only other direct addresses have aliases.
 */
export function ledToBy(address: string, kind: string, id: string): string {
  return `case when ${kind} = 'DIRECT' and ${address} !~ '^[0-9]+$' then ${ledTo(id)} else ${id} end`
}

/**
 * SQL of CTEs that merge two conversations into one, for each row of the CTE `wanted` (`number_id, alias_id,
 * conversation_id, peer`): the messages of `alias_id` move to `conversation_id`, PURGE_BATCH a statement. Conversations
 * are locked first, as everywhere. Messages are found by their conversation and locked as they are found, so that those
 * that another statement moved meanwhile are passed over; finding that out at the update would cost a look at all of
 * them for each. The counts of the number stay, but for the conversation that is no more. It is marked as unread
 * when one of both was, and archived when both were. Its notes move, and so does its assignment unless the other one
 * has one.
 */
const MERGED = `locked as (
      select c.* from conversations c join (select number_id, alias_id as id from wanted union select number_id, conversation_id from wanted) o on ${isRow('c', 'o.id', 'o.number_id')}
      order by c.id for update of c
    ), leaving as (
      select l.id, w.number_id, w.alias_id, w.conversation_id from wanted w cross join lateral (
        select m.id from messages m where m.conversation_id = w.alias_id and m.number_id || '' = w.number_id and (select count(*) from locked) >= 0
        limit ${PURGE_BATCH} for update of m) l
    ), moved as (
      update messages m set conversation_id = l.conversation_id from leaving l
      where ${isRow('m', 'l.id', 'l.number_id')} and m.conversation_id || '' = l.alias_id
      returning m.number_id, l.alias_id as from_id, m.conversation_id, m.direction, m.conversation_type, m.created_at, m.external_id
    ), answered as (
      update flow_responses r set conversation_id = k.conversation_id from moved k where r.number_id = k.number_id and r.external_message_id = k.external_id and k.direction = 'INBOUND'
    ), ${JOIN_REFERRALS}, split as (
      select l.*, o.conversation_id as into_id, case when n.pii_mode <> 'RELAY_ONLY' then coalesce(o.peer, l.peer) end as into_peer
      from locked l join wanted o on o.alias_id = l.id and o.number_id = l.number_id join channel_numbers n on n.id = l.number_id
    ), gone as (
      delete from conversations c using split s where c.id = s.id
    ), noted as (
      update conversation_notes n set conversation_id = s.into_id from split s where n.conversation_id = s.id
    ), unassigned as (
      delete from conversation_assignments a using split s where a.conversation_id = s.id returning a.*, s.into_id
    ), assigned as (
      insert into conversation_assignments (conversation_id, tenant_id, number_id, user_id, assigned_at)
      select distinct on (into_id) into_id, tenant_id, number_id, user_id, assigned_at from unassigned order by into_id, assigned_at desc
      on conflict (conversation_id) do nothing
    ), joined as (
      insert into conversations as c (id, tenant_id, number_id, type, peer, peer_name, unread_count, last_message_id, last_message_at, last_inbound_at, created_at, marked_unread, archived_at)
      select into_id, min(tenant_id), min(number_id), min(type), min(into_peer), (array_agg(peer_name order by last_message_at desc) filter (where peer_name is not null))[1],
        sum(unread_count), (array_agg(last_message_id order by last_message_at desc))[1], max(last_message_at), max(last_inbound_at), min(created_at), bool_or(marked_unread), case when bool_and(archived_at is not null) then max(archived_at) end
      from split group by into_id order by into_id
      on conflict (id) do update set
        peer = case when c.peer ~ '^[0-9]+$' then c.peer else coalesce(excluded.peer, c.peer) end, peer_name = coalesce(c.peer_name, excluded.peer_name), unread_count = c.unread_count + excluded.unread_count,
        last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at), last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
        created_at = least(c.created_at, excluded.created_at), marked_unread = c.marked_unread or excluded.marked_unread,
        archived_at = case when c.archived_at is not null and excluded.archived_at is not null then c.archived_at end
      returning number_id, type, created_at, xmax = 0 as is_new
    ), fewer as (
      select number_id, type, created_at, -1 as conversations from split union all select number_id, type, created_at, 1 from joined where is_new
    ), ${moveCountsCtes('moved')}, ${numberCountsCte(`select number_id, 'OUTBOUND' as direction, type as conversation_type, ${dayOf('created_at')} as day, 0 as messages, 0 as unread, conversations from fewer`)}`

/**
 * SQL that notes to which conversations upstream's ids of users lead, the latest word winning, and moves their messages
 * there. The alias is locked first. `$2` is the present.
 */
function nameSql(isAlone: boolean): string {
  return `with ${ownedCtes('alias_id text, conversation_id text, peer text', isAlone)}, latest as (
      select distinct on (alias_id) * from owned order by alias_id, place desc
    ), named as (
      insert into conversation_aliases as a (id, number_id, conversation_id, created_at)
      select alias_id, number_id, conversation_id, $2::timestamptz from latest order by alias_id
      on conflict (id) do update set conversation_id = excluded.conversation_id, created_at = excluded.created_at where a.conversation_id <> excluded.conversation_id
      returning id
    ), wanted as (
      select * from latest where (select count(*) from named) >= 0
    ), ${MERGED}
    select ${fencedColumns('owned')}, given.alias_id in (select id from named) as is_applied,
      (select count(*) from leaving l where l.alias_id = given.alias_id) >= ${PURGE_BATCH} as is_left from given`
}

/** The row of a naming. `is_left` is true when there is more to move. */
type Named = FencedItem<'is_applied' | 'is_left'>

/** Our choice: purges look this long for a send that was accepted while its user was named. */
const RECENT = `interval '30 minutes'`

/**
 * Moves what a send stored under an alias that it did not see yet. An alias that is being named at the moment is passed
 * over, because its naming moves it. `$1` is the present.
 */
export const MERGE_LEFT = `with wanted as (
      select a.number_id, a.id as alias_id, a.conversation_id, null::text as peer from conversation_aliases a
      where a.created_at > $1::timestamptz - ${RECENT} and exists (select 1 from messages m where m.conversation_id = a.id) limit 1000 for update of a skip locked
    ), ${MERGED}
    select 1 from moved`

/**
 * The outcome of a naming. `isLeft` is true when the merged conversation has more messages than one statement moves.
 */
export interface NamingResult {
  readonly result: Exclude<InboxResult, 'unknown'>
  readonly isLeft: boolean
}

export interface Naming {
  readonly fence: Fence
  readonly peer: NamedPeer
}

/** Our choice: namings that a node remembers as stored; some 150 bytes each. */
const REMEMBERED = 20_000

/**
 * Names of users as rows. Upstream repeats them with every message and status, so those stored lately are remembered.
 */
export class Names {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>
  /** Conversations by the ids of the aliases that lead to them. */
  readonly #known = new BoundedMemory<string>({ most: REMEMBERED })

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onChanged'>) {
    this.#engine = engine
  }

  isKnown({ fence, peer }: Naming): boolean {
    const { alias, conversation } = this.#idsOf(fence, peer)
    return this.#known.get(alias) === conversation
  }

  /** Stores namings and moves a part of their messages; calling it again moves the next part. */
  async store(items: readonly Naming[]): Promise<NamingResult[]> {
    const { database, clock, onChanged } = this.#engine
    const results = await runFenced<Naming, Named, NamingResult>(
      items,
      (some, isAlone) => {
        const rows = some.map(({ fence, peer }, place) => {
          const { alias, conversation } = this.#idsOf(fence, peer)
          return { place, ...fenceFields(fence), alias_id: alias, conversation_id: conversation, peer: peer.digits }
        })
        return despiteDeadlock(() =>
          database.query<Named>(nameSql(isAlone), [toRecordset(rows), new Date(clock.now()).toISOString()]),
        )
      },
      (row) => ({ result: row.is_applied ? 'applied' : 'stale', isLeft: row.is_left }),
    )
    return results.map((result, place) => {
      const [item] = items.slice(place, place + 1)
      if (result === 'fenced') return { result, isLeft: false }
      if (item && result.result === 'applied')
        onChanged({ numberId: item.fence.numberId, messageIds: [], conversationIds: [], isWhole: true })
      if (item && !result.isLeft) this.#remember(item)
      return result
    })
  }

  #idsOf({ numberId }: Fence, { digits, userId }: NamedPeer) {
    const { cipher } = this.#engine
    return {
      alias: conversationIdOf(cipher, numberId, userId),
      conversation: conversationIdOf(cipher, numberId, digits),
    }
  }

  #remember({ fence, peer }: Naming): void {
    const { alias, conversation } = this.#idsOf(fence, peer)
    this.#known.set(alias, conversation)
  }
}

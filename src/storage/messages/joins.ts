import { fencedColumns, ownedCtes, type FencedItem } from '../engine/fence.ts'
import { dayOf, isRow } from '../engine/statement.ts'
import { JOIN_REFERRALS } from '../referrals/sql.ts'
import { numberCountsCte } from './counts.ts'

/** SQL that is true of digits, which are the best address to answer to ([identities.identities.3]). */
function isPhone(address: string): string {
  return `${address} ~ '^[0-9]+$'`
}

/**
 * SQL of CTEs that join conversations, for each row of the CTE `wanted` (`number_id, alias_id, conversation_id, peer`):
 * what is known of `alias_id` goes to `conversation_id`, and its row goes. Messages stay where they are, because an
 * alias leads from there. The CTE `locked` has both rows, locked in the order of their ids, as everywhere. `peer` is
 * the best address, null to keep that of the row. The counts of the number stay, but for the conversation that is no
 * more. It is marked as unread when one of both was, and archived when both were. Notes go along, and so does the
 * assignment unless the other one has one.
 */
const JOINED = `${JOIN_REFERRALS}, split as (
      select l.*, w.conversation_id as into_id, case when n.pii_mode <> 'RELAY_ONLY' then coalesce(w.peer, l.peer) end as into_peer
      from locked l join wanted w on w.alias_id = l.id and w.number_id = l.number_id join channel_numbers n on n.id = l.number_id
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
        peer = coalesce(excluded.peer, c.peer), peer_name = coalesce(c.peer_name, excluded.peer_name), unread_count = c.unread_count + excluded.unread_count,
        last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at), last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
        created_at = least(c.created_at, excluded.created_at), marked_unread = c.marked_unread or excluded.marked_unread,
        archived_at = case when c.archived_at is not null and excluded.archived_at is not null then c.archived_at end
      returning number_id, type, created_at, xmax = 0 as is_new
    ), fewer as (
      select number_id, type, created_at, -1 as conversations from split union all select number_id, type, created_at, 1 from joined where is_new
    ), ${numberCountsCte(`select number_id, 'OUTBOUND' as direction, type as conversation_type, ${dayOf('created_at')} as day, 0 as messages, 0 as unread, conversations from fewer`)}`

/**
 * SQL of the best address of a joined person: digits that are named now, else those of a conversation, else a user id,
 * else an id of the device network. Of two of a kind the one that is named first counts.
 */
const BEST = `best as (
      select distinct on (place) place, address from (
        select place, address, nth from named union all select s.place, l.peer, 1000 from sides s join locked l on l.id = s.id where l.peer is not null) known
      order by place, ${isPhone('address')} desc, address !~ '@lid$' desc, nth
    )`

/**
 * SQL of CTEs that decide on namings: `named` are their addresses with the conversations that they lead to, of those
 * whose turn it is, `chosen` the conversation that stays of each, `wanted` those that join it. The oldest one stays
 * ([identities.joining.4]); when there is none yet, the first address makes it.
 */
const DECIDED = `known as (
      select o.place, o.number_id, n.pii_mode <> 'RELAY_ONLY' as is_kept, u.nth, u.id, u.address, coalesce(a.conversation_id, u.id) as led_id
      from owned o join channel_numbers n on n.id = o.number_id cross join unnest(o.ids, o.addresses) with ordinality as u (id, address, nth)
      left join conversation_aliases a on a.id = u.id
    ), turn as (
      select place from known group by place having bool_and(place = (select min(e.place) from known e where e.led_id = known.led_id))
    ), named as (
      select * from known where place in (select place from turn)
    ), sides as (
      select place, number_id, led_id as id, min(nth) as nth from named group by place, number_id, led_id
    ), locked as (
      select c.* from conversations c join sides s on ${isRow('c', 's.id', 's.number_id')} order by c.id for update of c
    ), ${BEST}, chosen as (
      select distinct on (s.place) s.place, s.number_id, s.id as into_id, b.address as best
      from sides s join best b on b.place = s.place left join locked l on l.id = s.id order by s.place, l.created_at nulls last, s.nth
    ), wanted as (
      select c.number_id, s.id as alias_id, c.into_id as conversation_id, c.best as peer from chosen c join sides s on s.place = c.place and s.id <> c.into_id
    )`

/**
 * SQL of CTEs that lead all ids of a naming to its conversation. An address that names the conversation itself has a
 * row once it is not the best one, or when the conversation does not exist yet, and another address may begin it.
 */
const LED = `leaders as (
      select distinct on (id) * from (
        select n.place, n.number_id, n.id, c.into_id, n.address, $2::timestamptz as since, n.is_kept, 0 as rank
        from named n join chosen c on c.place = n.place where n.id <> c.into_id or n.address <> c.best or c.into_id not in (select id from locked)
        union all select c.place, l.number_id, l.id, c.into_id, l.peer, l.created_at, true, 1
        from sides s join chosen c on c.place = s.place join locked l on l.id = s.id where l.id <> c.into_id or l.peer <> c.best) every
      order by id, rank
    ), pointed as (
      insert into conversation_aliases as a (id, number_id, conversation_id, created_at, address, since)
      select id, number_id, into_id, $2::timestamptz, case when is_kept then address end, since from leaders order by id
      on conflict (id) do update set conversation_id = excluded.conversation_id, address = coalesce(a.address, excluded.address), since = coalesce(a.since, excluded.since),
        created_at = case when a.conversation_id = excluded.conversation_id then a.created_at else excluded.created_at end
      where a.conversation_id <> excluded.conversation_id or (a.address is null and excluded.address is not null)
      returning id
    ), followed as (
      update conversation_aliases a set conversation_id = w.conversation_id, created_at = $2::timestamptz
      from wanted w where a.conversation_id = w.alias_id and a.id not in (select id from leaders) returning a.id
    )`

/**
 * SQL that joins what upstream names together: `ids` and `addresses` of one person each. Of two namings of one
 * statement that meet in a conversation the later one waits for its turn. `$2` is the present.
 */
export function nameSql(isAlone: boolean): string {
  return `with ${ownedCtes('ids text[], addresses text[]', isAlone)}, ${DECIDED}, ${LED}, ${JOINED}, renamed as (
      update conversations c set peer = h.best from chosen h join channel_numbers n on n.id = h.number_id and n.pii_mode <> 'RELAY_ONLY'
      where ${isRow('c', 'h.into_id', 'h.number_id')} and c.peer is distinct from h.best and h.into_id not in (select into_id from split) returning c.id
    )
    select ${fencedColumns('turn')}, given.place in (
      select l.place from leaders l join pointed p on p.id = l.id union select h.place from chosen h join renamed r on r.id = h.into_id) as is_applied from given`
}

/** The row of a naming. */
export type NamedItem = FencedItem<'is_applied'>

/** SQL that joins each conversation that another one was led from, while it began; `which` limits the aliases `a`. */
function settleSql(which: string): string {
  return `with wanted as (
      select a.number_id, a.id as alias_id, a.conversation_id, k.peer from conversation_aliases a left join conversations k on k.id = a.conversation_id
      where ${which} and a.id <> a.conversation_id and exists (select 1 from conversations c where c.id = a.id) limit 1000 for update of a skip locked
    ), locked as (
      select c.* from conversations c join (select number_id, alias_id as id from wanted union select number_id, conversation_id from wanted) o on ${isRow('c', 'o.id', 'o.number_id')}
      order by c.id for update of c
    ), ${JOINED}
    select 1 from split`
}

/** Joins conversations that were begun by sends while their ids began to lead elsewhere. `$1` are those ids. */
export const SETTLE = settleSql('a.id = any($1::text[])')

/**
 * The same for all of late, as a purge does it: a send may be stored after its person was named, by a statement that
 * began before. `$1` is the present. Our choice: no statement takes longer than 30 minutes.
 */
export const SETTLE_LATE = settleSql(`a.created_at > $1::timestamptz - interval '30 minutes'`)

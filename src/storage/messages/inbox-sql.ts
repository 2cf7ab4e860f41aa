import type { NewEvent } from '../../domain/events.ts'
import { MEDIA_HEADERS } from '../../domain/template.ts'
import type { Fence } from '../../ports/leases.ts'
import { fenceCte, fencedColumns, keptFenced, ownedCtes, type FencedItem } from '../engine/fence.ts'
import { ANSWER_COLUMNS, answerCtes } from '../flow-responses/sql.ts'
import { bestAddress, ledToBy } from '../conversations/aliases.ts'
import { isAwaited } from './changes.ts'
import { countCtes } from './counts.ts'
import { isLegalMove, LEAVE_QUEUE, statusEvents, stepsCte, touchedCte } from './moves.ts'
import { ID_COLUMNS, messagesCalled, messagesQuoted, namedBy, shownId } from '../message-keys/ids.ts'
import { eventCtes, listedEventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { dayOf, isRow, Parameters } from '../engine/statement.ts'
import { recordCtes, REFERRAL_COLUMNS } from '../referrals/sql.ts'
import { tallyCte } from '../usage/tally.ts'

/**
 * SQL of the events of new messages, in the order they came. The reply's event counts only when it quotes a message
 * that the number sent.
 */
const INCOMING_EVENTS = `select e.item ->> 'id' as event_id, f.tenant_id, f.number_id, e.item ->> 'event' as event, replace(e.item ->> 'data', f.id, f.kept_id) as data, e.item ->> 'trace' as trace
  from (select fresh.*, id as kept_id from fresh union all select known.*, resolved.id from known join resolved using (place)) f cross join lateral json_array_elements(f.events) with ordinality as e (item, nth)
  where not (e.item ->> 'isReply')::boolean
    or (select direction from (${messagesQuoted('q.direction', 'f')}) quoted limit 1) = 'OUTBOUND'
  order by f.place, e.nth`

/**
 * SQL of the stored messages in the form that the counts take. A conversation is new when no earlier version of its row
 * had to be locked.
 */
const ADDED = `select tenant_id, number_id, conversation_id, case when is_from_me then 'OUTBOUND' else 'INBOUND' end as direction, kind as conversation_type, type, ${dayOf('at')} as day,
        is_unread and not is_from_me as is_unread, id in (select last_message_id from kept where is_new) as is_first
      from fresh`

/** SQL of new messages, and of those that can be read at last. */
const CAME = `select * from fresh union all select known.* from known where place in (select place from resolved)`

/**
 * SQL that is true of a row of the CTE `known` unless its message is stored under its id as it came. Others are found
 * by the unique index.
 */
const IS_NEW_FORM = `(external_form is null or not exists (select 1 from messages m where m.number_id = known.number_id and m.external_id = known.external_form))`

/** What some inbound messages carry. */
interface Carried {
  readonly hasAnswers: boolean
  readonly hasReferrals: boolean
}

/**
 * SQL that stores inbound messages. Answers to Flows and referrals each need a statement of their own, so that messages
 * without them do not pay for them.
 */
function receiveSql(isAlone: boolean, { hasAnswers, hasReferrals }: Carried): string {
  const columns = `id text, ${ID_COLUMNS}, named_id text, other_ids text[], kind text, peer text, peer_name text, is_from_me boolean, from_address text, from_name text,
    to_address text, type text, content text, quoted_id text, quoted_key text, at timestamptz, is_unread boolean, events json${hasAnswers ? `, ${ANSWER_COLUMNS}` : ''}${hasReferrals ? `, ${REFERRAL_COLUMNS}` : ''}`
  return `with ${ownedCtes(columns, isAlone)}, known as (
      select o.*, ${ledToBy('o.named_id', 'o.other_ids')} as conversation_id, n.tenant_id, n.provider, n.pii_mode <> 'RELAY_ONLY' as is_kept from owned o join channel_numbers n on n.id = o.number_id
    ), stored as (
      insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, from_name, to_address,
        external_id, external_form, quoted_id, quoted_key, is_unread, created_at, sent_at)
      select id, tenant_id, number_id, provider, conversation_id, kind, case when is_from_me then 'OUTBOUND' else 'INBOUND' end,
        case when is_from_me then 'SENT' else 'RECEIVED' end, type, case when is_kept then content end, case when is_kept then from_address end,
        case when is_kept then from_name end, case when is_kept then to_address end, external_id, external_form, quoted_id, quoted_key, is_unread and not is_from_me, at, case when is_from_me then at end
      from known where ${IS_NEW_FORM} order by place
      on conflict (number_id, external_id) where external_id is not null do nothing
      returning id
    ), fresh as (
      select * from known where id in (select id from stored)
    ), resolved as (
      update messages m set type = k.type, content = case when k.is_kept then k.content end, quoted_id = k.quoted_id, quoted_key = k.quoted_key
      from known k cross join lateral (${messagesCalled('q.id as called_id', 'k')}) called where ${isRow('m', 'called_id', 'k.number_id')} and m.type = 'unsupported' and k.type <> 'unsupported' and m.revoked_at is null
      returning k.place, m.id
    ), kept as (
      insert into conversations as c (id, tenant_id, number_id, type, peer, peer_name, unread_count, last_message_id, last_message_at, last_inbound_at, created_at)
      select conversation_id, min(tenant_id), min(number_id), min(kind), min(${bestAddress('fresh.peer', 'fresh.named_id', 'fresh.conversation_id')}) filter (where is_kept),
        (array_agg(peer_name order by at desc, place desc) filter (where is_kept and peer_name is not null))[1],
        count(*) filter (where is_unread and not is_from_me), (array_agg(id order by at desc, place desc))[1], max(at), max(at) filter (where not is_from_me and type <> 'system'), $2::timestamptz
      from fresh group by conversation_id order by conversation_id
      on conflict (id) do update set
        peer = coalesce(c.peer, excluded.peer), peer_name = coalesce(excluded.peer_name, c.peer_name), unread_count = c.unread_count + excluded.unread_count,
        last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at), last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
        archived_at = case when excluded.unread_count = 0 then c.archived_at end
      returning last_message_id, xmax = 0 as is_new
    ), ${countCtes(ADDED)}, ${listedEventCtes(INCOMING_EVENTS, '$2')}${hasAnswers ? `, ${answerCtes(CAME)}` : ''}${hasReferrals ? `, ${recordCtes('$2')}` : ''}
    select ${fencedColumns('owned')}, given.id in (select id from stored) or given.place in (select place from resolved) as is_applied,
      exists (select 1 from told) as is_told, ${isAwaited('given')} as is_awaited,
      ${hasAnswers ? 'exists (select 1 from responded where responded.id = given.answer_id and responded.flow_id is null)' : 'false'} as has_waiting_answer,
      ${hasReferrals ? 'exists (select 1 from begun where begun.asked_ad_id is not null)' : 'false'} as has_ads from given`
}

/**
 * Stores inbound messages. A message that the number already has changes nothing, unless upstream could not show it
 * then (type `unsupported`): it keeps its id, gets its content and is told. Under RELAY_ONLY neither content nor name
 * nor address is kept, and the conversation is known by its id alone. `$2` is the present.
 */
const RECEIVE = keptFenced((isAlone) => receiveSql(isAlone, { hasAnswers: false, hasReferrals: false }))
const RECEIVE_ANSWERS = keptFenced((isAlone) => receiveSql(isAlone, { hasAnswers: true, hasReferrals: false }))
const RECEIVE_REFERRALS = keptFenced((isAlone) => receiveSql(isAlone, { hasAnswers: false, hasReferrals: true }))
const RECEIVE_BOTH = keptFenced((isAlone) => receiveSql(isAlone, { hasAnswers: true, hasReferrals: true }))

/** Chooses the statement for inbound messages. */
export function receiving({ hasAnswers, hasReferrals }: Carried): typeof RECEIVE {
  if (hasReferrals) return hasAnswers ? RECEIVE_BOTH : RECEIVE_REFERRALS
  return hasAnswers ? RECEIVE_ANSWERS : RECEIVE
}

/**
 * The row of an inbound message. `is_told`: the statement told something. `is_awaited`: a change came before the
 * message. `has_waiting_answer`: its answer to a Flow was stored, and the message that it answers is not known yet.
 * `has_ads`: ads of the statement are to be asked for.
 */
export type ReceivedItem = FencedItem<'is_applied' | 'is_told' | 'is_awaited' | 'has_waiting_answer' | 'has_ads'>

/**
 * SQL of the reported messages. The service's id is looked up first, because upstream gives it back before its own id
 * of the message is known.
 */
const FOUND = `found as (
    select o.*, coalesce(
      (select m.id from messages m where ${isRow('m', 'o.message_id', 'o.number_id')} and m.direction = 'OUTBOUND'),
      (select called.id from (${messagesCalled('q.id', 'o', `q.direction = 'OUTBOUND'`)}) called limit 1)) as id
    from owned o
  ), turn as (
    select distinct on (id) * from found where id is not null order by id, place
  ), locked as (
    select m.id, m.status, m.due_at, m.external_id, m.conversation_type, m.to_address, m.price_category from messages m join turn on ${isRow('m', 'turn.id', 'turn.number_id')} order by m.id for update of m
  ), wanted as (
    select turn.*, not exists (${messagesCalled('1', 'turn', 'q.id <> turn.id')}) as is_free from turn
  )`

/**
 * True of a template whose messages have no file: its header has none, and it has no cards. The values are compared as
 * JSON texts, without unescaping them.
 */
const HAS_NO_FILE = `(t.body::json #> '{header,type}')::text not in (${MEDIA_HEADERS.map((type) => `'"${type}"'`).join(', ')}) and json_typeof(t.body::json -> 'carousel') = 'null'`

/**
 * SQL of why message `m` failed. Upstream's code for a bad file means, for a template without any file, that it is not
 * approved ([templates.send-failures.1]).
 */
const CODE = `case when w.code = 'OFFICIAL_MEDIA_UPLOAD_ERROR' and w.upstream_code = '131053' and exists (select 1 from templates t where t.id = m.template_id and ${HAS_NO_FILE})
          then 'OFFICIAL_TEMPLATE_NOT_APPROVED' else w.code end`

/** SQL of the messages of the CTE `moved` that upstream has now named a price of, in the form that usage takes. */
const PRICED = `select tenant_id, ${dayOf('at')} as day, number_id, 'conversations.' || priced as metric, 1 as amount from moved where priced is not null`

function reportSql(isAlone: boolean): string {
  const columns = `message_id text, ${ID_COLUMNS}, status text, at timestamptz, happened text, price_category text, recipient text, code text, message text, details text, upstream_code text, event_id text, skipped_event_id text`
  return `with ${ownedCtes(columns, isAlone)}, ${FOUND}, moved as (
      update messages m set status = w.status, ${LEAVE_QUEUE}, ${namedBy('w')},
        sent_at = case when w.status = 'FAILED' then m.sent_at else coalesce(m.sent_at, w.at) end,
        delivered_at = case when w.status in ('DELIVERED', 'READ') then coalesce(m.delivered_at, w.at) else m.delivered_at end,
        read_at = case when w.status = 'READ' then w.at else m.read_at end, failed_at = case when w.status = 'FAILED' then w.at else m.failed_at end,
        price_category = coalesce(m.price_category, w.price_category), error_code = ${CODE}, error_message = w.message, error_details = w.details, upstream_code = w.upstream_code
      from wanted w join locked l on l.id = w.id join channel_numbers n on n.id = w.number_id
      where ${isRow('m', 'l.id', 'w.number_id')} and ${isLegalMove('l.status', 'w.status')}
      returning m.id, m.tenant_id, m.number_id, m.conversation_id, m.status, ${shownId('m')} as external_id, m.correlation_id, m.error_code, m.error_message, m.error_details,
        m.upstream_code, m.trace, l.to_address as address, m.to_address as kept_address, l.due_at is not null as was_queued, l.external_id is null and m.flow_id is not null as is_flow_named, w.event_id, case when l.status <> 'DELIVERED' then w.skipped_event_id end as skipped_event_id, w.place, w.at, w.happened,
        case when l.price_category is null then w.price_category end as priced
    ), ${stepsCte('moved')}, named as (
      update messages m set external_id = w.external_id, external_form = w.external_form from wanted w join locked l on l.id = w.id
      where ${isRow('m', 'l.id', 'w.number_id')} and w.is_free and l.external_id is null and not ${isLegalMove('l.status', 'w.status')}
      returning w.place, m.flow_id is not null as is_flow_named
    ), ${touchedCte('moved', `was_queued and status <> 'FAILED'`)}, ${listedEventCtes(statusEvents('steps'), '$2')}, ${tallyCte(PRICED)}, turns as (
      select place from turn union all select place from found where id is null
    ), other as (
      select f.place, l.to_address from found f join locked l on l.id = f.id
      where f.recipient is not null and l.conversation_type = 'DIRECT' and l.to_address <> f.recipient
    )
    select ${fencedColumns('turns')}, given.place in (select place from found where id is not null) as is_known,
      given.place in (select place from moved) as is_applied, ${isAwaited('given')} as is_awaited,
      given.place in (select place from moved where is_flow_named union all select place from named where is_flow_named) as is_flow_named,
      other.to_address as other_name from given left join other on other.place = given.place`
}

/**
 * Moves messages by what upstream reports. A skipped status counts as reached at the same time; a skipped DELIVERED is
 * told too. `$2` is the present.
 */
export const REPORT = keptFenced(reportSql)

/**
 * The row of a report. `is_awaited`: a change came before upstream's id of the message was known. `is_flow_named`: the
 * message has a Flow, and its upstream id has just become known. `other_name`: the address that the message was sent
 * to, when upstream knows the person by another one; else null.
 */
export type ReportedItem = FencedItem<'is_known' | 'is_applied' | 'is_awaited' | 'is_flow_named'> & {
  readonly other_name: string | null
}

/** Stores events alone, for a number that the writer owns. */
export function tellStatement(
  fence: Fence,
  events: readonly NewEvent[],
  nowMs: number,
): { sql: string; values: Parameters['values'] } {
  const p = new Parameters()
  const numberId = p.add(fence.numberId)
  const owner = `owner as (select n.tenant_id, n.id as number_id from channel_numbers n, fence where n.id = ${numberId})`
  const ctes = `${fenceCte(numberId, p.add(fence.token))}, ${owner}, ${eventCtes('owner', p.add(toOutboxParameter(events)), p.time(nowMs))}`
  return { sql: `with ${ctes} select exists (select 1 from fence) as is_owner`, values: p.values }
}

import { MESSAGE_MAX_AGE_MS } from '../../domain/limits.ts'
import type { OutgoingContent } from '../../domain/outgoing.ts'
import { batchAhead, type QueuedHead } from '../../ports/stores/send-queue.ts'
import { fencedColumns, keptFenced, ownedCtes, type FencedItem } from '../engine/fence.ts'
import { isRow } from '../engine/statement.ts'
import { ID_COLUMNS, messagesCalled, namedBy, shownId } from '../message-keys/ids.ts'
import { isLegalMove, LEAVE_QUEUE, statusEvents, touchedCte } from './moves.ts'
import { listedEventCtes } from '../engine/outbox.ts'
import { keptStatement } from '../engine/database.ts'
import { toDate } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { MessageEntity } from './entity.ts'

/** Our choice: due messages of a number that are looked at in their order. */
export const AHEAD = 500
/** Our choice: conversations that are looked at when those messages belong to too few. */
export const STEPS = 500

/** Columns of a queued message. */
const HEADS = rowsOf(MessageEntity)
  .only(
    'position',
    'id',
    'conversationId',
    'conversationType',
    'toAddress',
    'outgoing',
    'quotedId',
    'dueAt',
    'deliverUntil',
    'attempts',
    'attemptedAt',
    'createdAt',
    'batchId',
    'trace',
  )
  .filled<'toAddress' | 'outgoing' | 'dueAt'>()
export type Head = ReturnType<typeof HEADS.read>
/** A head, or the row that only tells how many messages were looked at. */
export type HeadRow = { readonly seen: number } & (RowIn<typeof HEADS> | { readonly id: null })
/** A head of HEADS_AHEAD. `has_batches`: messages of batches of the number wait. */
export type AheadRow = HeadRow & { readonly has_batches: boolean }
/** What the batch of a message that may be taken in hand tells. */
export type BatchedRow = RowIn<typeof HEADS> & { readonly per_minute: number | null; readonly begun_at: string | null }

function readySql(now: string, except: string, limit: string): string {
  return `ready as (
    select id from head where due_at <= ${now} and (not_before is null or not_before <= ${now})
      and not conversation_id = any(${except}) order by due_at, position limit ${limit}
  )`
}

const HEAD_COLUMNS = HEADS.list('m')

/**
 * SQL that is true when messages of batches of the number wait, and are asked for. The order names the index of what
 * waits: that of batches also has what was sent.
 */
const HAS_BATCHES = `asked.wants_batches and coalesce((select true from messages b where b.number_id = asked.number_id and b.due_at is not null and b.batch_id > ''
      order by b.batch_id, b.due_at limit 1), false)`

/**
 * Looks at the first due messages: the first of each conversation among them is its head, because nothing due before it
 * is missing. Answers for each number of `$1` at most `page` heads, of conversations that are not in `passed`. Rows
 * come in no order.
 */
export const HEADS_AHEAD = keptStatement(`select asked.place, found.*
  from json_to_recordset($1::json) as asked (place integer, number_id text, passed text[], page integer, wants_batches boolean) cross join lateral (
    with ahead as (
      select id, conversation_id, due_at, position, not_before from messages
      where number_id = asked.number_id and batch_id = '' and due_at <= $2::timestamptz order by due_at, position limit ${AHEAD}
    ), head as (
      select distinct on (conversation_id) * from ahead order by conversation_id, due_at, position
    ), ${readySql('$2::timestamptz', 'asked.passed', 'asked.page')}
    select s.seen, s.has_batches, ${HEAD_COLUMNS} from (select count(*)::integer as seen, ${HAS_BATCHES} as has_batches from ahead) s
      left join (messages m join ready on ready.id = m.id) on true
  ) found`)

/**
 * Heads of conversations after `$5`, with one look at the index each: however long a queue is, the next conversation is
 * one step away. A conversation whose first message is of a batch needs one more. Rows come in no order.
 */
export const HEADS_APART = `with recursive step as (
    (select conversation_id, id, due_at, position, not_before, batch_id, 1 as number from messages
      where number_id = $1 and due_at is not null and conversation_id > $5 order by conversation_id, due_at, position limit 1)
    union all
    select next.*, step.number + 1 from step cross join lateral (
      select m.conversation_id, m.id, m.due_at, m.position, m.not_before, m.batch_id from messages m
      where m.number_id = $1 and m.due_at is not null and m.conversation_id > step.conversation_id order by m.conversation_id, m.due_at, m.position limit 1
    ) next where step.number < ${STEPS}
  ), head as (
    select conversation_id, id, due_at, position, not_before from step where batch_id = ''
    union all
    select alone.* from step cross join lateral (
      select m.conversation_id, m.id, m.due_at, m.position, m.not_before from messages m
      where m.number_id = $1 and m.due_at is not null and m.conversation_id between step.conversation_id and step.conversation_id and m.batch_id = ''
      order by m.conversation_id, m.due_at, m.position limit 1
    ) alone where step.batch_id <> ''
  ), ${readySql('$2::timestamptz', '$3::text[]', '$4')}
  select s.seen, ${HEAD_COLUMNS} from (select count(*)::integer as seen from step) s left join (messages m join ready on ready.id = m.id) on true`

/** Our choice: batches of a number that a look looks at, the oldest with messages that wait. */
const LOOKED_BATCHES = 100

/**
 * At most `$4` messages that batches of number `$1` may send, none of a conversation in `$3`, and of each batch as many
 * as `batchAhead` lets be in hand beside those of `$5`. Steps over the batches that have waiting messages. Limits that
 * are constants stand around those that are not: the planner would else expect so many rows that PostgreSQL compiles
 * the statement, for seconds (measured). A statement of its own for the same reason. Rows come in no order.
 */
export const HEADS_BATCHED = `with recursive waiting as (
    (select batch_id from messages where number_id = $1 and due_at is not null and batch_id > '' order by batch_id, due_at limit 1)
    union all
    select next.batch_id from waiting cross join lateral (
      select m.batch_id from messages m where m.number_id = $1 and m.due_at is not null and m.batch_id > waiting.batch_id order by m.batch_id, m.due_at limit 1
    ) next
  ), ready as (
    select next.id, b.per_minute, b.begun_at from (select batch_id from waiting limit ${LOOKED_BATCHES}) w join message_batches b on b.id = w.batch_id cross join lateral (
      select * from (
        select m.id from messages m where m.number_id = $1 and m.batch_id = b.id and m.due_at <= $2::timestamptz and (m.not_before is null or m.not_before <= $2::timestamptz)
          and not m.conversation_id = any($3::text[]) and not exists (
            select 1 from messages e where e.number_id = m.number_id and e.conversation_id = m.conversation_id and e.batch_id = m.batch_id
              and e.due_at is not null and (e.due_at, e.position) < (m.due_at, m.position))
        order by m.due_at, m.position limit ${batchAhead(null)}
      ) first limit greatest(0, least(${batchAhead(null)}, coalesce(ceil(b.per_minute / 60.0) + 1, ${batchAhead(null)})) - coalesce(($5::json->>b.id)::integer, 0))
    ) next order by b.begun_at nulls first limit $4
  )
  select ready.per_minute, ready.begun_at, ${HEAD_COLUMNS} from ready join messages m on m.id = ready.id`

/** The content to be sent; null when the text is no JSON. */
function toOutgoing(text: string): OutgoingContent | null {
  try {
    return JSON.parse(text) as OutgoingContent
  } catch {
    return null
  }
}

/** A head with its batch; null when it was sent alone. */
export type FoundHead = Head & Pick<QueuedHead, 'batch'>

export function toHeads(row: HeadRow): FoundHead[] {
  return row.id === null ? [] : [{ ...HEADS.read(row), batch: null }]
}

/** A message of a batch. `nowMs` is the present, from which the last begin of the batch counts. */
export function toBatched(row: BatchedRow, nowMs: number): FoundHead {
  const head = HEADS.read(row)
  const begunMs = row.begun_at === null ? null : Math.max(0, nowMs - toDate(row.begun_at).getTime())
  return { ...head, batch: head.batchId === '' ? null : { id: head.batchId, perMinute: row.per_minute, begunMs } }
}

export function toQueued({
  id,
  conversationId,
  conversationType: type,
  toAddress: address,
  outgoing,
  quotedId,
  deliverUntil,
  createdAt,
  attempts,
  attemptedAt,
  batch,
  trace,
}: FoundHead): QueuedHead {
  return {
    id,
    conversationId,
    to: { type, address },
    outgoing: toOutgoing(outgoing),
    quotedMessageId: quotedId,
    deliverUntil,
    createdAt,
    attempts,
    attemptedAt,
    batch,
    trace,
  }
}

/** SQL of the writes that get their turn: one for each message, the first; rows are locked in one order everywhere. */
const TURNS = `turn as (
    select distinct on (message_id) * from owned order by message_id, place
  ), locked as (
    select m.* from messages m join turn on ${isRow('m', 'turn.message_id', 'turn.number_id')} order by m.id for update of m
  )`

function beginSql(isAlone: boolean): string {
  return `with ${ownedCtes('message_id text', isAlone)}, ${TURNS}, begun as (
      update messages m set attempts = m.attempts + 1, attempted_at = $2::timestamptz from locked l
      where ${isRow('m', 'l.id', 'l.number_id')} and l.due_at is not null and (l.deliver_until is null or l.deliver_until > $2::timestamptz)
      returning m.id, m.batch_id
    ), paced as (
      update message_batches b set begun_at = $2::timestamptz where b.id in (select batch_id from begun where batch_id <> '')
    )
    select ${fencedColumns('turn')}, given.message_id in (select id from begun) as is_applied,
      exists (select 1 from locked l where l.id = given.message_id and l.due_at is not null and l.deliver_until <= $2::timestamptz and l.attempted_at is null) as is_late
    from given`
}

/** Begins tries, and notes when their batches were begun. `$2` is the present. */
export const BEGIN = keptFenced(beginSql)

/**
 * The row of a begun try. `is_late`: the message is past its `deliverUntil`, and upstream was never asked or refused
 * it.
 */
export type BegunItem = FencedItem<'is_applied' | 'is_late'>

/** SQL that is true when no other row of the number has the upstream id. An echo that came first keeps the id. */
const IS_FREE = `not exists (${messagesCalled('1', 'turn', 'q.id <> turn.message_id')})`

function settleSql(isAlone: boolean): string {
  const columns = `message_id text, kind text, ${ID_COLUMNS}, code text, message text, details text, upstream_code text, not_before timestamptz, event_id text`
  return `with ${ownedCtes(columns, isAlone)}, ${TURNS}, wanted as (
      select turn.*, ${IS_FREE} as is_free from turn
    ), put_off as (
      update messages m set attempted_at = null, not_before = case when w.kind = 'again' then w.not_before end,
        due_at = case when w.kind = 'held' then w.not_before else m.due_at end,
        held_since = case when w.kind = 'held' then coalesce(m.held_since, m.due_at) else m.held_since end
      from wanted w join locked l on l.id = w.message_id
      where ${isRow('m', 'l.id', 'w.number_id')} and w.kind in ('again', 'held') and l.due_at is not null
      returning m.id
    ), moved as (
      update messages m set status = case w.kind when 'sent' then 'SENT' else 'FAILED' end, ${LEAVE_QUEUE},
        ${namedBy('w')},
        sent_at = case when w.kind = 'sent' then $2::timestamptz end, failed_at = case when w.kind = 'failed' then $2::timestamptz end,
        error_code = w.code, error_message = w.message, error_details = w.details, upstream_code = w.upstream_code
      from wanted w join locked l on l.id = w.message_id join channel_numbers n on n.id = w.number_id
      where ${isRow('m', 'l.id', 'w.number_id')} and w.kind in ('sent', 'failed') and l.due_at is not null
      returning m.id, m.tenant_id, m.number_id, m.conversation_id, m.status, ${shownId('m')} as external_id, m.correlation_id, m.error_code, m.error_message, m.error_details,
        m.upstream_code, m.trace, l.to_address as address, m.to_address as kept_address, w.event_id, w.place, $2::timestamptz as at, $3::text as happened, m.flow_id is not null as is_flow
    ), named as (
      update messages m set external_id = w.external_id, external_form = w.external_form from wanted w join locked l on l.id = w.message_id
      where ${isRow('m', 'l.id', 'w.number_id')} and w.kind = 'sent' and w.is_free and l.due_at is null and l.external_id is null
      returning m.id, m.flow_id is not null as is_flow
    ), ${touchedCte('moved', `status = 'SENT'`)}, ${listedEventCtes(statusEvents('moved'), '$2')}
    select ${fencedColumns('turn')}, given.message_id in (select id from moved union all select id from put_off) as is_applied,
      given.message_id in (select id from moved where is_flow and status = 'SENT' union all select id from named where is_flow) as is_flow_named from given`
}

/** Settles sends. `$2` is the present, and `$3` the same in the form that events show. */
export const SETTLE = keptFenced(settleSql)

/** The row of a settled send. `is_flow_named`: the message has a Flow, and its upstream id has just become known. */
export type SettledItem = FencedItem<'is_applied' | 'is_flow_named'>

/** Longest wait of a message after it is due. */
const MAX_AGE = `interval '${MESSAGE_MAX_AGE_MS} milliseconds'`
const IS_CERTAIN = '(m.attempted_at is null or m.attempted_at <= $2::timestamptz)'

/**
 * Ends up to `$3` messages of any number that waited too long. `$1` is the present, and `$4` the same in the form that
 * events show. A message that was sent upstream after `$2` is left alone. Ids of events are made of `$5` and the
 * message's id, keeping the time part of `$5`. Rows that are being written are passed over.
 */
export const EXPIRE = `with recursive waiting as (
    (select number_id, batch_id from messages where due_at is not null order by number_id, batch_id, due_at, position limit 1)
    union all
    select next.* from waiting cross join lateral (
      select m.number_id, m.batch_id from messages m where m.due_at is not null and (m.number_id, m.batch_id) > (waiting.number_id, waiting.batch_id)
      order by m.number_id, m.batch_id, m.due_at, m.position limit 1) next
  ), late as (
    (select m.id from messages m where m.due_at is not null and m.deliver_until <= $1::timestamptz and ${IS_CERTAIN} order by m.deliver_until limit $3)
    union
    (select old.id from waiting cross join lateral (
      select m.id from messages m where m.number_id = waiting.number_id and m.batch_id = waiting.batch_id and m.due_at <= $1::timestamptz - ${MAX_AGE} and ${IS_CERTAIN} order by m.due_at, m.position limit $3) old
      limit $3)
    union
    (select old.id from (select distinct number_id from waiting) numbers cross join lateral (
      select m.id from messages m where m.number_id = numbers.number_id and m.due_at is not null and m.held_since <= $1::timestamptz - ${MAX_AGE} and ${IS_CERTAIN} order by m.held_since limit $3) old
      limit $3)
  ), locked as (
    select m.id, m.to_address from messages m where m.id in (select id from late) and m.due_at is not null and ${IS_CERTAIN} order by m.id limit $3 for update skip locked
  ), moved as (
    update messages m set status = 'FAILED', ${LEAVE_QUEUE}, failed_at = $1::timestamptz,
      error_code = case when m.deliver_until <= $1::timestamptz then 'EXPIRED_AFTER_ATTEMPTS' when m.attempts = 0 then 'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED' else 'DELIVERY_TIMEOUT' end,
      error_message = case when m.deliver_until <= $1::timestamptz then 'The message could not be sent before its deliverUntil'
        when m.attempts = 0 then 'The message waited for 7 days and was never tried' else 'The message could not be delivered within 7 days' end
    from locked l, channel_numbers n where m.id = l.id and n.id = m.number_id and ${isLegalMove('m.status', `'FAILED'`)}
    returning m.id, m.tenant_id, m.number_id, m.status, ${shownId('m')} as external_id, m.correlation_id, m.error_code, m.error_message, m.error_details, m.upstream_code, m.trace,
      l.to_address as address, left($5::text, 14) || left(md5($5::text || m.id), 16) as event_id, m.position as place, $4::text as happened
  ), ${listedEventCtes(statusEvents('moved'), '$1')}
  select count(*)::integer as count from moved`

/**
 * Tells that the waiting messages of number `$2` of tenant `$1` will not be sent ([messages.failures.13]), because the
 * number is about to be deleted with its messages. `$3` is the present, and `$4` the same in the form that events show.
 * Ids of events are made of `$5` and the message's id.
 */
export const ABANDON = `with waiting as (
    select m.* from messages m where m.tenant_id = $1 and m.number_id = $2 and m.due_at is not null order by m.id for update
  ), moved as (
    select id, tenant_id, number_id, 'FAILED' as status, ${shownId('waiting')} as external_id, correlation_id, 'NUMBER_NOT_FOUND_REMOVED' as error_code,
      'The number was removed before the message was sent' as error_message, null::text as error_details, null::text as upstream_code, trace,
      to_address as address, left($5::text, 14) || left(md5($5::text || id), 16) as event_id, position as place, $4::text as happened
    from waiting
  ), ${listedEventCtes(statusEvents('moved'), '$3')}
  select count(*)::integer as count from moved`

/**
 * Lets held messages of the account `$2` of tenant `$1` go at their first time again; rows are locked in one order
 * everywhere. Answers a row for each.
 */
export const LET_GO = `with locked as (
    select m.id from channel_numbers n join messages m on m.number_id = n.id and m.due_at is not null and m.held_since is not null
    where n.tenant_id = $1 and n.official_account_id = $2 and m.due_at > m.held_since order by m.id for update of m
  )
  update messages m set due_at = m.held_since from locked l where m.id = l.id and m.due_at is not null returning m.number_id`

/** Numbers with a due message, the longest waiting first, with one look at the index for each number and batch. */
export const LIST_DUE = `with recursive waiting as (
    (select number_id, batch_id, due_at from messages where due_at is not null order by number_id, batch_id, due_at, position limit 1)
    union all
    select next.* from waiting cross join lateral (
      select m.number_id, m.batch_id, m.due_at from messages m where m.due_at is not null and (m.number_id, m.batch_id) > (waiting.number_id, waiting.batch_id)
      order by m.number_id, m.batch_id, m.due_at, m.position limit 1) next
  )
  select w.number_id from waiting w join channel_numbers n on n.id = w.number_id where w.due_at <= $1::timestamptz and n.state = 'OPEN'
  group by w.number_id order by min(w.due_at) limit $2`

/** The next time at which a message is due or its put-off ends. */
export const NEXT_DUE = `with recursive waiting as (
    (select batch_id from messages where number_id = $1 and due_at is not null order by batch_id, due_at limit 1)
    union all
    select next.batch_id from waiting cross join lateral (
      select m.batch_id from messages m where m.number_id = $1 and m.due_at is not null and m.batch_id > waiting.batch_id order by m.batch_id, m.due_at limit 1) next
  )
  select least(
    (select min(next.due_at) from waiting cross join lateral (
      select m.due_at from messages m where m.number_id = $1 and m.batch_id = waiting.batch_id and m.due_at > $2::timestamptz order by m.due_at limit 1) next),
    (select min(not_before) from messages where number_id = $1 and due_at is not null and not_before > $2::timestamptz)) as at`

/**
 * Counts what waits and is of no batch, by the partial index of queued messages, whose size is that of the queue
 * whatever was sent before.
 */
export const WAITING = `select count(*)::int as count, min(due_at) as since from messages where due_at is not null and batch_id = '' and due_at <= $1::timestamptz`

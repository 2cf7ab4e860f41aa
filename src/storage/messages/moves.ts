import type { EventName } from '../../domain/events.ts'
import { STATUS_EVENTS } from '../../domain/message-event.ts'
import { messageSourcesOf, type MessageFailure, type ReportedStatus } from '../../domain/message.ts'
import { ledTo } from '../conversations/aliases.ts'
import { isRow } from '../engine/statement.ts'
import { statusDataSql } from '../events/status-data.ts'

const STATUSES = Object.keys(STATUS_EVENTS) as ReportedStatus[]
/** Events that tell of moves: each move of a sent message is told by one of them. */
export const MOVE_EVENTS: readonly EventName[] = Object.values(STATUS_EVENTS)

/** SQL that is true when the table of legal moves lets status `from` become `to`; both are SQL. */
export function isLegalMove(from: string, to: string): string {
  const moves = STATUSES.map(
    (status) =>
      `${to} = '${status}' and ${from} in (${messageSourcesOf(status)
        .map((source) => `'${source}'`)
        .join(', ')})`,
  )
  return `(${moves.join(' or ')})`
}

/**
 * SQL assignments of a message `m` of number `n` that leaves the queue. What was to be sent is forgotten, and under
 * RELAY_ONLY its address too.
 */
export const LEAVE_QUEUE = `outgoing = null, due_at = null, not_before = null,
    content = case when n.pii_mode <> 'RELAY_ONLY' then m.content end, from_address = case when n.pii_mode <> 'RELAY_ONLY' then m.from_address end,
    to_address = case when n.pii_mode <> 'RELAY_ONLY' then m.to_address end`

/** SQL of the name of the event of a message whose new status is `status`. */
const EVENT = `case status ${STATUSES.map((status) => `when '${status}' then '${STATUS_EVENTS[status]}'`).join(' ')} end`

/**
 * SQL of a destination: E.164 with `+` ([rest.phones.2]); groups, newsletters and users who hide their number stay as
 * they are.
 */
const DESTINATION = `case when address ~ '^[0-9]+$' then '+' || address else address end`
const TOLD = {
  messageId: 'external_id',
  internalMessageId: 'id',
  correlationId: 'correlation_id',
  destination: DESTINATION,
  createdAt: 'happened',
}
const TOLD_OF_FAILURE = Object.entries(TOLD)
  .map(([field, sql]) => `${sql} as "${field}"`)
  .join(', ')
const FAILURE = `error_code as code, error_message as "errorMessage", (select d from (select error_details as details) d) as error_data, upstream_code::json as "upstreamCode"`

/**
 * SQL of the events ([events.data.3], [events.data.4]) of the moved messages in the CTE `moved`, which has `event_id`,
 * the new `status`, `address`, `happened` as ISO text, `trace` and `place`. For `listedEventCtes`.
 */
export function statusEvents(moved: string): string {
  return `select event_id, tenant_id, number_id, ${EVENT} as event,
      case status when 'FAILED' then row_to_json((select d from (select ${TOLD_OF_FAILURE}, ${FAILURE}) d))::text else ${statusDataSql(TOLD)} end as data, trace
    from ${moved} order by place`
}

/**
 * SQL of a CTE `steps`: the moved messages for `statusEvents`. A READ message whose delivery was never told
 * (`skipped_event_id` is not null) has a DELIVERED step before it, because upstream told of both at once.
 */
export function stepsCte(moved: string): string {
  const columns = (
    eventId: string,
    status: string,
    place: string,
  ) => `${eventId} as event_id, ${status} as status, ${place} as place,
      tenant_id, number_id, id, external_id, correlation_id, address, happened, error_code, error_message, error_details, upstream_code, trace`
  return `steps as (
      select ${columns('event_id', 'status', '2 * place + 1')} from ${moved}
      union all select ${columns('skipped_event_id', `'DELIVERED'`, '2 * place')} from ${moved} where skipped_event_id is not null
    )`
}

/** Columns of a failure. Upstream's code is JSON, because it is a number or a text. */
export function failureFields({ code, message, details, upstreamCode }: MessageFailure) {
  return { code, message, details, upstream_code: upstreamCode === null ? null : JSON.stringify(upstreamCode) }
}

/**
 * SQL of a CTE `touched`: makes a sent message the last of its conversation, unless a newer one came. `moved` gives
 * `conversation_id` and `at`.
 */
export function touchedCte(moved: string, isOut: string): string {
  return `touched as (
    update conversations c set last_message_id = case when k.at >= c.last_message_at then k.id else c.last_message_id end,
      last_message_at = greatest(c.last_message_at, k.at), peer = coalesce(c.peer, k.kept_address)
    from (select distinct on (led_id) led_id, number_id, id, at, kept_address from (select w.*, ${ledTo('w.conversation_id')} as led_id from ${moved} w where ${isOut}) led order by led_id, at desc, place desc) k
    where ${isRow('c', 'k.led_id', 'k.number_id')}
  )`
}

import type { EventName } from '../../domain/events.ts'
import { messageSourcesOf, type MessageFailure, type ReportedStatus } from '../../domain/message.ts'
import { isRow } from '../engine/statement.ts'

/** Moves that upstream may report, each with the event that tells of it. */
const REPORTED = {
  SENT: 'message.sent',
  DELIVERED: 'message.delivered',
  READ: 'message.read',
  FAILED: 'message.failed',
} as const satisfies Readonly<Record<ReportedStatus, EventName>>
const STATUSES = Object.keys(REPORTED) as ReportedStatus[]
/** Each move that a message of ours makes is told by one of these. */
export const MOVE_EVENTS: readonly EventName[] = Object.values(REPORTED)

/** SQL that is true where the table of legal moves lets status `from` become `to`; both are SQL. */
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
 * Assignments of a message `m` of number `n` that leaves the queue: what was to be sent is forgotten, and under
 * RELAY_ONLY where it went, too.
 */
export const LEAVE_QUEUE = `outgoing = null, due_at = null, not_before = null,
    content = case when n.pii_mode <> 'RELAY_ONLY' then m.content end, from_address = case when n.pii_mode <> 'RELAY_ONLY' then m.from_address end,
    to_address = case when n.pii_mode <> 'RELAY_ONLY' then m.to_address end`

/** The name of the event of a message that has `status` now. */
const EVENT = `case status ${STATUSES.map((status) => `when '${status}' then '${REPORTED[status]}'`).join(' ')} end`

/** E.164 with `+`; groups, channels and users who hide their number as they are (contract 2). */
const DESTINATION = `case when address ~ '^[0-9]+$' then '+' || address else address end as destination`
const TOLD = `external_id as "messageId", id as "internalMessageId", correlation_id as "correlationId", ${DESTINATION}, happened as "createdAt"`
const FAILURE = `error_code as code, error_message as "errorMessage", (select d from (select error_details as details) d) as error_data, upstream_code::json as "upstreamCode"`

/**
 * A query of the events (contract 5) of the moved messages in CTE `moved`: `event_id`, `status` they have now,
 * `address` they went to, `happened` as ISO text, `place`. For `listedEventCtes`.
 */
export function statusEvents(moved: string): string {
  return `select event_id, tenant_id, number_id, ${EVENT} as event,
      case status when 'FAILED' then row_to_json((select d from (select ${TOLD}, ${FAILURE}) d))::text else row_to_json((select d from (select ${TOLD}) d))::text end as data
    from ${moved} order by place`
}

/**
 * A CTE `steps`: the moved messages for `statusEvents`, and before each that was read and of which nobody heard that it
 * was delivered (`skipped_event_id` is not null) that it was, as upstream told of both at once.
 */
export function stepsCte(moved: string): string {
  const columns = (
    eventId: string,
    status: string,
    place: string,
  ) => `${eventId} as event_id, ${status} as status, ${place} as place,
      tenant_id, number_id, id, external_id, correlation_id, address, happened, error_code, error_message, error_details, upstream_code`
  return `steps as (
      select ${columns('event_id', 'status', '2 * place + 1')} from ${moved}
      union all select ${columns('skipped_event_id', `'DELIVERED'`, '2 * place')} from ${moved} where skipped_event_id is not null
    )`
}

/** Columns of a failure; upstream's code as JSON, because it is a number or a text. */
export function failureFields({ code, message, details, upstreamCode }: MessageFailure) {
  return { code, message, details, upstream_code: upstreamCode === null ? null : JSON.stringify(upstreamCode) }
}

/**
 * A CTE `touched`: what went out is the last message of its conversation, unless a newer one came. `moved` gives
 * `conversation_id` and `at`.
 */
export function touchedCte(moved: string, isOut: string): string {
  return `touched as (
    update conversations c set last_message_id = case when k.at >= c.last_message_at then k.id else c.last_message_id end,
      last_message_at = greatest(c.last_message_at, k.at), peer = coalesce(c.peer, k.kept_address)
    from (select distinct on (conversation_id) conversation_id, number_id, id, at, kept_address from ${moved} where ${isOut} order by conversation_id, at desc, place desc) k
    where ${isRow('c', 'k.conversation_id', 'k.number_id')}
  )`
}

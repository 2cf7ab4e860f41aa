import type { NumberId } from '../../domain/ids.ts'
import type { MessageDirection } from '../../domain/message.ts'
import { ledToBy } from '../conversations/aliases.ts'
import type { PeerIds } from '../conversations/conversation-id.ts'
import { partsOf } from '../conversations/parts.ts'
import { between, type DateRange, type Parameters } from '../engine/statement.ts'

const DAY_MS = 86_400_000

/** The whole days of a range, as days since 1970 in UTC, without `end` itself; null when open. */
interface WholeDays {
  readonly first: number | null
  readonly end: number | null
}

/** Messages of a number in one direction, of some types of conversation. */
export interface TotalScope {
  readonly numberId: NumberId
  readonly direction: MessageDirection
  /** SQL of a condition on the type of conversation, whose column is given. */
  readonly types: (column: string) => string
}

/** Conditions on messages, and on counts, of a number. */
export function ofNumber(p: Parameters, { numberId, direction, types }: TotalScope): string[] {
  return [`number_id = ${p.add(numberId)}`, `direction = ${p.add(direction)}`, types('conversation_type')]
}

/**
 * SQL of how many messages of a number a range has: whole days from their counts, the parts of the first and the last
 * day from the index.
 */
export function numberTotalSql(p: Parameters, numberScope: TotalScope, range: DateRange): string {
  const scope = ofNumber(p, numberScope)
  return `select ${counted(p, 'number_counts', scope, scope, range)}::integer as total`
}

/**
 * SQL of the ids under which messages lie of the conversation with a person; none when the number has no such one. The
 * index of messages has neither number nor type, so those are conditions on the conversation.
 */
export function partsWith(p: Parameters, { numberId, types }: TotalScope, { id, others }: PeerIds): string {
  const led = ledToBy(p.add(id), `${p.add(others)}::text[]`)
  return `select part.id from (
      select id from conversations where id = ${led} and number_id = ${p.add(numberId)} and ${types('type')}
    ) c cross join lateral (${partsOf('c.id')}) part`
}

/**
 * SQL of the total of one conversation: each part by days once its counts are complete, until then by the index. It is
 * one statement, so that the check and the count are of one moment.
 */
export function conversationTotalSql(p: Parameters, scope: TotalScope, peer: PeerIds, range: DateRange): string {
  const { numberId, direction, types } = scope
  const number = p.add(numberId)
  const ofRows = ['conversation_id = part.id', `direction = ${p.add(direction)}`]
  const ofCounts = [`number_id = ${number}`, ...ofRows, types('conversation_type')]
  const isComplete = `exists (select 1 from counted_conversations where number_id = ${number} and conversation_id = part.id and is_complete)`
  const byDays = counted(p, 'conversation_counts', ofCounts, ofRows, range)
  return `select coalesce(sum(case when ${isComplete} then ${byDays} else ${rows(ofRows, between(p, range))} end), 0)::integer as total
    from (${partsWith(p, scope, peer)}) part`
}

function counted(
  p: Parameters,
  counts: string,
  ofCounts: readonly string[],
  ofRows: readonly string[],
  range: DateRange,
): string {
  const days = wholeDays(range)
  const parts =
    days === null
      ? [rows(ofRows, between(p, range))]
      : [whole(p, counts, ofCounts, days), ...edges(p, ofRows, range, days)]
  return `(${parts.join(' + ')})`
}

/** The whole days of a range; null when there are none between start and end. */
function wholeDays({ startDate, endDate }: DateRange): WholeDays | null {
  const first = startDate === null ? null : Math.ceil(startDate.getTime() / DAY_MS)
  const end = endDate === null ? null : Math.floor((endDate.getTime() + 1) / DAY_MS)
  return first !== null && end !== null && first >= end ? null : { first, end }
}

function whole(p: Parameters, counts: string, scope: readonly string[], { first, end }: WholeDays): string {
  const dates = [
    ...(first === null ? [] : [`day >= date '1970-01-01' + ${p.add(first)}::integer`]),
    ...(end === null ? [] : [`day < date '1970-01-01' + ${p.add(end)}::integer`]),
  ]
  return `(select coalesce(sum(messages), 0) from ${counts} where ${[...scope, ...dates].join(' and ')})`
}

function edges(
  p: Parameters,
  scope: readonly string[],
  { startDate, endDate }: DateRange,
  { first, end }: WholeDays,
): string[] {
  const hasStart = startDate !== null && first !== null && startDate.getTime() < first * DAY_MS
  const hasEnd = endDate !== null && end !== null && endDate.getTime() >= end * DAY_MS
  return [
    ...(hasStart ? [rows(scope, [`created_at >= ${p.time(startDate)}`, `created_at < ${startOf(p, first)}`])] : []),
    ...(hasEnd ? [rows(scope, [`created_at >= ${startOf(p, end)}`, `created_at <= ${p.time(endDate)}`])] : []),
  ]
}

/**
 * SQL of the time at which a day begins. PostgreSQL computes it, because the day after the last that ISO text can
 * express has a beginning too.
 */
function startOf(p: Parameters, day: number): string {
  return `to_timestamp(${p.add(day)}::bigint * 86400)`
}

function rows(scope: readonly string[], dates: readonly string[]): string {
  return `(select count(*) from messages where ${[...scope, ...dates].join(' and ')})`
}

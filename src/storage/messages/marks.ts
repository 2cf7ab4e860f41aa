import { ledTo } from './aliases-sql.ts'
import { dayOf, numberCountsCte } from './counts.ts'

/** Our choice: upstream is told of so many messages that were read, the newest; it shows the older ones as read with them. */
const TOLD = 1_000

/** Waits until the messages of CTE `wanted` may be marked: conversations first, in one order everywhere. */
const LOCKED = `locked as (
    select c.id from conversations c where c.number_id = $1 and c.id in (select conversation_id from wanted) order by c.id for no key update
  )`

/** Marks what is unread in `locked`, and takes from the counts what it marked: what comes in meanwhile stays counted. */
const MARKED = `marked as (
    update messages m set is_unread = false, read_at = $3::timestamptz from wanted, locked
    where m.id = wanted.id and m.conversation_id = locked.id and m.number_id = $1 and m.is_unread
    returning m.id, m.conversation_id, m.conversation_type, m.external_id, m.created_at
  ), lowered as (
    update conversations c set unread_count = greatest(0, c.unread_count - k.count)
    from (select conversation_id, count(*)::integer as count from marked group by conversation_id) k where c.id = k.conversation_id and c.number_id = $1
  ), ${numberCountsCte(`select $1 as number_id, 'INBOUND' as direction, conversation_type, ${dayOf('created_at')} as day, 0 as messages, -1 as unread, 0 as conversations from marked`)}, newest as (
    select external_id, created_at, id from marked order by created_at desc, id desc limit ${TOLD}
  )`

const ANSWER = `(select count(*)::integer from marked) as count,
    (select coalesce(json_agg(external_id order by created_at, id) filter (where external_id is not null), '[]')::text from newest) as external_ids`

/** Marks all of conversation `$2`, or of the one that it became part of; no row: there is none. */
export const MARK_CONVERSATION = `with wanted as (
    select id, conversation_id from messages where number_id = $1 and conversation_id = ${ledTo('$2')} and is_unread
  ), ${LOCKED}, ${MARKED}
  select ${ANSWER} from conversations where number_id = $1 and id = ${ledTo('$2')}`

/** Marks the messages whose service id or upstream id is in `$2`. */
export const MARK_MESSAGES = `with wanted as (
    select id, conversation_id from messages where number_id = $1 and (id = any($2::text[]) or external_id = any($2::text[])) and is_unread
  ), ${LOCKED}, ${MARKED}
  select ${ANSWER}`

export interface MarkRow {
  readonly count: number
  readonly external_ids: string
}

import type { MessageDirection } from '../domain/message.ts'
import type { Database } from './database.ts'
import { despiteDeadlock } from './deadlock.ts'

/** Our choice: rows a purge takes at a time, so that none holds the embedded database for long. */
const BATCH = 5_000

const LIMITED = `n.pii_mode = 'STORE_X_DAYS' and n.pii_retention_days is not null`
const CUT = `$1::timestamptz - n.pii_retention_days * interval '1 day'`

/** Deletes what is past the window of its number, by the index of its history. What is still to be sent stays until it is settled. */
function deleteOld(direction: MessageDirection): string {
  return `with old as (
      select m.position, m.conversation_id, m.is_unread from channel_numbers n cross join lateral (
        select position, conversation_id, is_unread from messages where number_id = n.id and direction = '${direction}' and created_at < ${CUT} and due_at is null limit ${BATCH}) m
      where ${LIMITED} limit ${BATCH}
    ), lowered as (
      update conversations c set unread_count = greatest(0, c.unread_count - k.count)
      from (select conversation_id, count(*)::integer as count from old where is_unread group by conversation_id) k where c.id = k.conversation_id
    )
    delete from messages where position in (select position from old) returning 1`
}

/** Statements that take up to BATCH rows each; `$1` is the present. */
const STEPS = [
  deleteOld('INBOUND'),
  deleteOld('OUTBOUND'),
  // A conversation stays, as its id and its count.
  `update conversations set peer = null, peer_name = null where id in (
    select c.id from channel_numbers n join conversations c on c.number_id = n.id
    where ${LIMITED} and c.last_message_at < ${CUT} and (c.peer is not null or c.peer_name is not null)
      and not exists (select 1 from messages q where q.conversation_id = c.id and q.due_at is not null) limit ${BATCH}) returning 1`,
]

/** Our choice: files of RELAY_ONLY numbers serve sends under way, whose tries are over well within an hour. */
const RELAYED = `interval '1 hour'`

/**
 * Files that outlive what privacy lets a number keep expire now; whoever purges files takes them. Those a queued message is still to be made of
 * stay until it is settled.
 */
const EXPIRE_FILES = `update message_files set expires_at = $1::timestamptz where id in (
    select f.id from channel_numbers n join message_files f on f.number_id = n.id
    where f.expires_at > $1::timestamptz
      and ((${LIMITED} and f.created_at < ${CUT}) or (n.pii_mode = 'RELAY_ONLY' and f.created_at < $1::timestamptz - ${RELAYED}))
      and not exists (select 1 from messages q where q.number_id = n.id and q.due_at is not null and strpos(q.outgoing, f.id) > 0) limit ${BATCH}) returning 1`

/** What a number stored before it became RELAY_ONLY; what is still to be sent keeps its address until it is settled. */
const WIPES = [
  `update messages m set content = null, from_address = null, from_name = null, to_address = case when m.due_at is not null then m.to_address end
   where m.position in (
     select m.position from channel_numbers n join messages m on m.number_id = n.id
     where n.pii_mode = 'RELAY_ONLY' and not n.is_wiped and (m.content is not null or m.from_address is not null or m.from_name is not null
       or (m.to_address is not null and m.due_at is null)) limit ${BATCH}) returning 1`,
  `update conversations set peer = null, peer_name = null where id in (
     select c.id from channel_numbers n join conversations c on c.number_id = n.id
     where n.pii_mode = 'RELAY_ONLY' and not n.is_wiped and (c.peer is not null or c.peer_name is not null) limit ${BATCH}) returning 1`,
]

/** Numbers to be wiped now. */
const UNWIPED = `select id from channel_numbers where pii_mode = 'RELAY_ONLY' and not is_wiped`

/** Of those that were found: a statement that began under the mode before is over by then. */
const WIPED = `update channel_numbers set is_wiped = true
  where id = any($2::text[]) and pii_mode = 'RELAY_ONLY' and not is_wiped and updated_at < $1::timestamptz - interval '1 minute'`

async function untilDone(database: Database, step: string, now: string): Promise<void> {
  for (;;) {
    const rows = await despiteDeadlock(() => database.query(step, step.includes('$1') ? [now] : []))
    if (rows.length < BATCH) return
  }
}

/** Deletes and wipes what privacy no longer lets a number keep, a batch a transaction, until nothing is left. */
export async function purgeMessages(database: Database, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString()
  for (const step of [...STEPS, EXPIRE_FILES]) await untilDone(database, step, now)
  const unwiped = await database.query<{ id: string }>(UNWIPED)
  if (unwiped.length > 0) {
    for (const step of WIPES) await untilDone(database, step, now)
    await database.query(WIPED, [now, unwiped.map(({ id }) => id)])
  }
  // The embedded database has no autovacuum.
  if (database.kind === 'pglite') for (const table of ['messages', 'conversations']) await database.query(`vacuum (analyze) ${table}`)
}

import type { MessageDirection } from '../../domain/message.ts'
import type { Engine } from '../engine/engine.ts'
import { dayOf } from '../engine/statement.ts'
import { ledTo } from '../conversations/aliases.ts'
import { isOfParts } from '../conversations/parts.ts'
import { UNCOUNT } from './counts.ts'
import { SETTLE_LATE } from './joins.ts'
import { PURGE_BATCH, purgeRows, vacuumEmbedded } from '../engine/purge.ts'
import { RESPONSE_STEPS, RESPONSE_WIPES } from '../flow-responses/sql.ts'
import { CUT, emptySql, LIMITED, UNWIPED } from '../numbers/retention.ts'
import { ReferralEntity } from '../referrals/entity.ts'
import { ConversationAliasEntity, ConversationEntity } from '../conversations/entity.ts'
import { MessageChangeEntity } from './entity.ts'

/**
 * SQL that deletes what is past the window of its number, by the index of its history. What is still to be sent stays
 * until it is settled. Conversations are locked first, as when messages are marked read. What another node deleted
 * meanwhile is not taken from the counts again.
 */
function deleteOld(direction: MessageDirection): string {
  return `with old as (
      select m.position, m.conversation_id, m.is_unread from channel_numbers n cross join lateral (
        select position, conversation_id, is_unread from messages where number_id = n.id and direction = '${direction}' and created_at < ${CUT} and due_at is null limit ${PURGE_BATCH}) m
      where ${LIMITED} limit ${PURGE_BATCH}
    ), locked as (
      select id from conversations where id in (select ${ledTo('old.conversation_id')} from old where is_unread) order by id for no key update
    ), removed as (
      delete from messages where position in (select position from old) and (select count(*) from locked) >= 0
      returning number_id, conversation_id, direction, conversation_type, created_at, is_unread
    ), lowered as (
      update conversations c set unread_count = greatest(0, c.unread_count - k.count)
      from (select ${ledTo('removed.conversation_id')} as led_id, count(*)::integer as count from removed where is_unread group by led_id) k where c.id = k.led_id
    ), ${UNCOUNT}
    select 1 from removed`
}

/** Statements that take up to PURGE_BATCH rows each, or all; `$1` is the present. */
const STEPS = [
  deleteOld('INBOUND'),
  deleteOld('OUTBOUND'),
  // Deletes days of long conversations that count nothing any more.
  `delete from conversation_counts c using channel_numbers n where c.number_id = n.id and ${LIMITED} and c.day <= ${dayOf(`(${CUT})`)} and c.messages = 0 returning 1`,
  // Empties conversations, which keep their id and their counts.
  emptySql(
    ConversationEntity,
    ['peer', 'peerName'],
    LIMITED,
    `r.last_message_at < ${CUT} and not exists (select 1 from messages q where ${isOfParts('q.conversation_id', 'r.id')} and q.due_at is not null)`,
  ),
  // Empties what leads to a conversation that is empty, or that is not there.
  emptySql(
    ConversationAliasEntity,
    ['address'],
    LIMITED,
    `r.created_at < ${CUT} and not exists (select 1 from conversations c where c.id = r.conversation_id and c.peer is not null)`,
  ),
]

/** Our choice: changes whose message did not come within this long, or within what its number keeps, are forgotten. */
const WAITED_DAYS = 7
const FORGET_CHANGES = `delete from message_changes where (number_id, external_id) in (
    select c.number_id, c.external_id from message_changes c join channel_numbers n on n.id = c.number_id
    where c.created_at < $1::timestamptz - interval '${WAITED_DAYS} days' or (${LIMITED} and c.created_at < ${CUT}) limit ${PURGE_BATCH}) returning 1`

/** Our choice: files of RELAY_ONLY numbers serve sends under way, whose tries are over well within an hour. */
const RELAYED = `interval '1 hour'`

/**
 * Expires files that outlive what privacy lets a number keep; the purge of files deletes them. Files that a queued
 * message is still to be made of stay until it is settled.
 */
const EXPIRE_FILES = `update message_files set expires_at = $1::timestamptz where id in (
    select f.id from channel_numbers n join message_files f on f.number_id = n.id
    where f.expires_at > $1::timestamptz
      and ((${LIMITED} and f.created_at < ${CUT}) or (n.pii_mode = 'RELAY_ONLY' and f.created_at < $1::timestamptz - ${RELAYED}))
      and not exists (select 1 from messages q where q.number_id = n.id and q.due_at is not null and strpos(q.outgoing, f.id) > 0) limit ${PURGE_BATCH}) returning 1`

/** Forgets the click ids of referrals; the rows stay, and go on counting. */
const FORGET_CLICKS = emptySql(ReferralEntity, ['ctwaClid'], LIMITED, `r.created_at < ${CUT}`)

/** Wipes what a number stored before it became RELAY_ONLY; a queued message keeps its address until it is settled. */
const WIPES = [
  `update messages m set content = null, from_address = null, from_name = null, to_address = case when m.due_at is not null then m.to_address end, flow_token = null
   where m.position in (
     select m.position from channel_numbers n join messages m on m.number_id = n.id
     where ${UNWIPED} and (m.content is not null or m.from_address is not null or m.from_name is not null or m.flow_token is not null
       or (m.to_address is not null and m.due_at is null)) limit ${PURGE_BATCH}) returning 1`,
  emptySql(ConversationEntity, ['peer', 'peerName'], UNWIPED),
  emptySql(ConversationAliasEntity, ['address'], UNWIPED),
  emptySql(MessageChangeEntity, ['content'], UNWIPED),
  emptySql(ReferralEntity, ['ctwaClid'], UNWIPED),
]

/** Finds the numbers to be wiped now. */
const TO_BE_WIPED = `select n.id from channel_numbers n where ${UNWIPED}`

/** Marks the found numbers as wiped, once every statement that began under the mode before is over. */
const WIPED = `update channel_numbers n set is_wiped = true
  where n.id = any($2::text[]) and ${UNWIPED} and n.updated_at < $1::timestamptz - interval '1 minute'`

/** Deletes what is past the window of its number, and wipes what a number stored before it became RELAY_ONLY. */
export async function purgeMessages({ database, clock }: Pick<Engine, 'database' | 'clock'>): Promise<number> {
  const now = new Date(clock.now()).toISOString()
  let count = 0
  for (const step of [...STEPS, ...RESPONSE_STEPS, FORGET_CLICKS, FORGET_CHANGES, SETTLE_LATE, EXPIRE_FILES])
    count += await purgeRows(database, step, now)
  const unwiped = await database.chores.query<{ id: string }>(TO_BE_WIPED)
  if (unwiped.length > 0) {
    for (const step of [...WIPES, ...RESPONSE_WIPES]) count += await purgeRows(database, step, now)
    await database.chores.query(WIPED, [now, unwiped.map(({ id }) => id)])
  }
  await vacuumEmbedded(database, [
    'messages',
    'message_changes',
    'conversation_aliases',
    'conversations',
    'conversation_counts',
    'number_counts',
    'flow_responses',
    'flow_response_counts',
    'referrals',
    'ads',
  ])
  return count
}

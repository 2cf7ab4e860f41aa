import { Migration } from '@mikro-orm/migrations'
import { FILLS as COUNT_ALL } from './0008-message-counts.ts'

/**
 * Counts by conversation, for long ones alone: a short one is counted as fast by its index, and a row of counts for
 * each message cost more than it saved.
 */
export class LongConversations extends Migration {
  override up(): void {
    for (const statement of [...TABLES, ...KEEP_LONG]) this.addSql(statement)
  }

  override down(): void {
    for (const table of ['counted_conversations', 'counting_progress']) this.addSql(`drop table if exists ${table}`)
    this.addSql('truncate conversation_counts, number_counts')
    for (const statement of COUNT_ALL) this.addSql(statement)
  }
}

/** Messages above which a conversation is long, as in src/storage/messages/long-conversations.ts. */
const LONG = 5_000

const TABLES = [
  // When is_complete, the counts include all of the conversation's past, otherwise only what was stored since it was
  // found to be long.
  `create table counted_conversations (
    number_id text not null references channel_numbers (id) on delete cascade,
    conversation_id text not null,
    is_complete boolean not null,
    primary key (number_id, conversation_id)
  )`,
  // One row: messages up to this position were looked at.
  'create table counting_progress (position bigint not null)',
  'insert into counting_progress (position) select coalesce(max(position), 0) from messages',
]

/** Statements that drop the counts of all but long conversations. */
export const KEEP_LONG = [
  `insert into counted_conversations (number_id, conversation_id, is_complete)
   select number_id, conversation_id, true from conversation_counts group by 1, 2 having sum(messages) > ${LONG}`,
  `delete from conversation_counts c where not exists (
     select 1 from counted_conversations k where k.number_id = c.number_id and k.conversation_id = c.conversation_id)`,
  'analyze counted_conversations',
  'analyze conversation_counts',
]

import { Migration } from '@mikro-orm/migrations'

/** Counts of messages by day, so that a list tells its total without reading a long past. */
export class MessageCounts extends Migration {
  override up(): void {
    for (const statement of [...COUNTS, ...FILLS, ...INDEXES]) this.addSql(statement)
  }

  override down(): void {
    for (const table of ['conversation_counts', 'number_counts']) this.addSql(`drop table if exists ${table}`)
    this.addSql('drop index messages_peer')
    this.addSql('drop index messages_groups')
    this.addSql('create index messages_conversation on messages (conversation_id, created_at desc, id desc)')
    this.addSql(
      `create index messages_groups on messages (number_id, created_at desc, id desc) where conversation_type = 'GROUP'`,
    )
  }
}

/** SQL of the day (UTC) of created_at. */
const DAY = `(created_at at time zone 'UTC')::date`

// There are no foreign keys, because a check would cost more than the row; the removal of a number deletes its counts.
// Pages keep room, so that a row that is counted up all day is rewritten within its page.
const COUNTS = [
  `create table number_counts (
    number_id text not null,
    direction text not null,
    conversation_type text not null,
    day date not null,
    messages integer not null,
    unread integer not null,
    conversations integer not null,
    primary key (number_id, direction, conversation_type, day)
  ) with (fillfactor = 50)`,
  `create table conversation_counts (
    number_id text not null,
    conversation_id text not null,
    direction text not null,
    conversation_type text not null,
    day date not null,
    messages integer not null,
    primary key (number_id, conversation_id, direction, conversation_type, day)
  ) with (fillfactor = 85)`,
]

/** Statements that count all existing rows into empty tables. */
export const FILLS = [
  `insert into conversation_counts (number_id, conversation_id, direction, conversation_type, day, messages)
   select number_id, conversation_id, direction, conversation_type, ${DAY}, count(*) from messages group by 1, 2, 3, 4, 5`,
  `insert into number_counts (number_id, direction, conversation_type, day, messages, unread, conversations)
   select number_id, direction, conversation_type, day, sum(messages), sum(unread), sum(conversations) from (
     select number_id, direction, conversation_type, day, messages, 0 as unread, 0 as conversations from conversation_counts
     union all select number_id, direction, conversation_type, ${DAY}, 0, 1, 0 from messages where is_unread
     union all select number_id, 'OUTBOUND', type, ${DAY}, 0, 0, 1 from conversations
   ) counted group by 1, 2, 3, 4`,
  'analyze number_counts',
  'analyze conversation_counts',
]

// The direction is part of the index because every list asks for one: a page of few inbound messages must not pass over
// many outbound ones.
const INDEXES = [
  'drop index messages_conversation',
  'create index messages_peer on messages (conversation_id, direction, created_at desc, id desc)',
  'drop index messages_groups',
  `create index messages_groups on messages (number_id, direction, created_at desc, id desc) where conversation_type = 'GROUP'`,
]

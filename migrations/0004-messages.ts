import { Migration } from '@mikro-orm/migrations'

/** Conversations, messages in both directions with the queue of sends, and files of messages. */
export class Messages extends Migration {
  override up(): void {
    for (const statement of [...CONVERSATIONS, ...MESSAGES, ...FILES, ...NUMBERS]) this.addSql(statement)
  }

  override down(): void {
    for (const table of ['message_files', 'messages', 'conversations']) this.addSql(`drop table if exists ${table}`)
    this.addSql('alter table channel_numbers drop column is_wiped')
  }
}

const CONVERSATIONS = [
  // The id is made from number and peer by a keyed hash: one row for each peer, found without the address, which
  // RELAY_ONLY does not keep.
  `create table conversations (
    id text primary key,
    tenant_id text not null,
    number_id text not null references channel_numbers (id) on delete cascade,
    type text not null,
    peer text,
    peer_name text,
    unread_count integer not null default 0,
    last_message_id text,
    last_message_at timestamptz(3) not null,
    last_inbound_at timestamptz(3),
    created_at timestamptz(3) not null
  ) with (fillfactor = 85)`,
  'create index conversations_newest on conversations (number_id, last_message_at desc, last_message_id desc)',
  'create index conversations_unread on conversations (number_id) where unread_count > 0',
]

const MESSAGES = [
  /**
   * due_at is set while the message is QUEUED and null ever after. The partial indexes name it and not the status,
   * which no index knows: DELIVERED and READ then rewrite the row alone. No foreign key to the conversation, which is
   * written beside it and never deleted.
   */
  `create table messages (
    position bigint generated always as identity primary key,
    id text not null constraint messages_id unique,
    tenant_id text not null,
    number_id text not null references channel_numbers (id) on delete cascade,
    provider text not null,
    conversation_id text not null,
    conversation_type text not null,
    direction text not null,
    status text not null,
    type text not null,
    content text,
    from_address text,
    from_name text,
    to_address text,
    external_id text,
    quoted_id text,
    correlation_id text,
    template text,
    is_unread boolean not null default false,
    outgoing text,
    due_at timestamptz(3),
    not_before timestamptz(3),
    deliver_until timestamptz(3),
    attempts integer not null default 0,
    attempted_at timestamptz(3),
    created_at timestamptz(3) not null,
    sent_at timestamptz(3),
    delivered_at timestamptz(3),
    read_at timestamptz(3),
    failed_at timestamptz(3),
    error_code text,
    error_message text,
    error_details text,
    upstream_code text
  ) with (fillfactor = 85)`,
  // Not partial, so that a removed number's messages are found by it.
  'create index messages_history on messages (number_id, direction, created_at desc, id desc) include (conversation_type)',
  'create index messages_conversation on messages (conversation_id, created_at desc, id desc)',
  `create index messages_groups on messages (number_id, created_at desc, id desc) where conversation_type = 'GROUP'`,
  'create index messages_unread on messages (number_id, created_at desc, id desc) where is_unread',
  'create index messages_unread_conversation on messages (conversation_id) where is_unread',
  'create unique index messages_external_id on messages (number_id, external_id) where external_id is not null',
  // A correlation id that the client did not choose is the message's own id.
  'create index messages_correlation on messages (number_id, correlation_id, position) where correlation_id <> id',
  'create index messages_due on messages (number_id, due_at, position) where due_at is not null',
  'create index messages_queue on messages (number_id, conversation_id, due_at, position) where due_at is not null',
  'create index messages_put_off on messages (number_id, not_before) where due_at is not null and not_before is not null',
  'create index messages_expiring on messages (deliver_until) where due_at is not null and deliver_until is not null',
]

const FILES = [
  // No foreign key: what a removed number leaves on disk is found by these rows.
  `create table message_files (
    id text primary key,
    tenant_id text not null,
    number_id text not null,
    path text not null,
    mime_type text not null,
    size_bytes bigint not null,
    file_name text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index message_files_expiry on message_files (expires_at)',
  'create index message_files_number on message_files (number_id)',
]

const NUMBERS = [
  // True on a RELAY_ONLY number once what was stored before the mode was set is gone.
  'alter table channel_numbers add column is_wiped boolean not null default false',
]

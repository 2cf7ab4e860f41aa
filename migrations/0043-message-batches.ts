import { Migration } from '@mikro-orm/migrations'

/**
 * Messages that were accepted together. What waits of a batch has lines of its own in the index of due messages, so
 * that it stands before no other message.
 */
export class MessageBatches extends Migration {
  override up(): void {
    this.addSql(`create table message_batches (
      id text not null primary key,
      tenant_id text not null references tenants (id) on delete cascade,
      number_id text not null references channel_numbers (id) on delete cascade,
      per_minute integer null,
      accepted integer not null,
      begun_at timestamptz(3) null,
      created_at timestamptz(3) not null
    )`)
    this.addSql('create index message_batches_number on message_batches (number_id)')
    this.addSql(`alter table messages add column batch_id text not null default ''`)
    this.addSql('drop index messages_due')
    this.addSql(
      'create index messages_due on messages (number_id, batch_id, due_at, position) where due_at is not null',
    )
    this.addSql(`create index messages_batch on messages (batch_id, status) where batch_id <> ''`)
  }

  override down(): void {
    this.addSql('drop index if exists messages_batch')
    this.addSql('drop index if exists messages_due')
    this.addSql('alter table messages drop column if exists batch_id')
    this.addSql('create index messages_due on messages (number_id, due_at, position) where due_at is not null')
    this.addSql('drop table if exists message_batches')
  }
}

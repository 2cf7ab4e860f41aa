import { Migration } from '@mikro-orm/migrations'

/** Messages that were edited or revoked, and changes that came before their message. */
export class ChangedMessages extends Migration {
  override up(): void {
    this.addSql('alter table messages add column edited_at timestamptz(3), add column revoked_at timestamptz(3)')
    // One row for each message: its newest edit, or that it was revoked.
    this.addSql(`create table message_changes (
      number_id text not null references channel_numbers (id) on delete cascade,
      external_id text not null,
      type text,
      content text,
      edited_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (number_id, external_id)
    )`)
    this.addSql('create index message_changes_age on message_changes (created_at)')
    // A message that upstream could not show may come again by the same id once it can. Those are few, and so are the
    // entries of this index.
    this.addSql(`create index messages_unsupported on messages (number_id, external_id) where type = 'unsupported'`)
  }

  override down(): void {
    this.addSql('drop index messages_unsupported')
    this.addSql('drop table if exists message_changes')
    this.addSql('alter table messages drop column edited_at, drop column revoked_at')
  }
}

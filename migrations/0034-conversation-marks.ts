import { Migration } from '@mikro-orm/migrations'

/** What people note of a conversation in the inbox: that it is to be read again, and that it is put away. */
export class ConversationMarks extends Migration {
  override up(): void {
    this.addSql('alter table conversations add column marked_unread boolean not null default false')
    this.addSql('alter table conversations add column archived_at timestamptz(3)')
    this.addSql('drop index conversations_unread')
    // A gateway of the version before asks for `unread_count > 0`, which this index answers too.
    this.addSql(
      'create index conversations_unread on conversations (number_id, last_message_at desc, last_message_id desc) where unread_count > 0 or marked_unread',
    )
    this.addSql(
      'create index conversations_archived on conversations (number_id, last_message_at desc, last_message_id desc) where archived_at is not null',
    )
    // What the counts of messages do not say about the unread total.
    this.addSql(
      'create index conversations_uncounted on conversations (number_id) where marked_unread or (archived_at is not null and unread_count > 0)',
    )
  }

  override down(): void {
    for (const index of ['conversations_uncounted', 'conversations_archived', 'conversations_unread'])
      this.addSql(`drop index if exists ${index}`)
    this.addSql(
      'create index conversations_unread on conversations (number_id, last_message_at desc, last_message_id desc) where unread_count > 0',
    )
    this.addSql('alter table conversations drop column if exists archived_at')
    this.addSql('alter table conversations drop column if exists marked_unread')
  }
}

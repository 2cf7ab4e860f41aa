import { Migration } from '@mikro-orm/migrations'

/** What an inbox reads besides lists of a number: conversations with unread messages, last active first. */
export class Inbox extends Migration {
  override up(): void {
    this.addSql('drop index conversations_unread')
    // An index of the number alone would cost as many writes, because whatever moves a conversation to the front moves
    // it in the index of all conversations too.
    this.addSql(
      'create index conversations_unread on conversations (number_id, last_message_at desc, last_message_id desc) where unread_count > 0',
    )
  }

  override down(): void {
    this.addSql('drop index conversations_unread')
    this.addSql('create index conversations_unread on conversations (number_id) where unread_count > 0')
  }
}

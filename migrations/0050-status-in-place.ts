import { Migration } from '@mikro-orm/migrations'

/**
 * A status changes a message in its place, in the room that pages keep for it (migration 0004): no index has
 * a column that changes with it. Without that each status wrote a row into every index of messages.
 */
export class StatusInPlace extends Migration {
  override up(): void {
    this.addSql('drop index messages_batch')
    this.addSql("create index messages_batch on messages (batch_id) where batch_id <> ''")
  }

  override down(): void {
    this.addSql('drop index if exists messages_batch')
    this.addSql("create index messages_batch on messages (batch_id, status) where batch_id <> ''")
  }
}

import { Migration } from '@mikro-orm/migrations'

/**
 * A status changes a message in its place: no index has a column that changes with it, and pages keep room for the next
 * version of a row. Without that each status wrote a row into every index of messages.
 */
export class StatusInPlace extends Migration {
  override up(): void {
    this.addSql('drop index messages_batch')
    this.addSql("create index messages_batch on messages (batch_id) where batch_id <> ''")
    this.addSql('alter table messages set (fillfactor = 80)')
  }

  override down(): void {
    this.addSql('alter table messages reset (fillfactor)')
    this.addSql('drop index if exists messages_batch')
    this.addSql("create index messages_batch on messages (batch_id, status) where batch_id <> ''")
  }
}

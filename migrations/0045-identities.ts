import { Migration } from '@mikro-orm/migrations'

/** What a person is known by beside the address that names the conversation, and since when. */
export class Identities extends Migration {
  override up(): void {
    // The address is null where privacy keeps none, and for what was named before this migration.
    this.addSql('alter table conversation_aliases add column address text, add column since timestamptz(3)')
    // Messages stay under the id that they were stored with: a conversation is read by all ids that lead to it.
    this.addSql('create index conversation_aliases_conversation on conversation_aliases (conversation_id)')
  }

  override down(): void {
    this.addSql('drop index if exists conversation_aliases_conversation')
    this.addSql('alter table conversation_aliases drop column if exists address, drop column if exists since')
  }
}

import { Migration } from '@mikro-orm/migrations'

/**
 * Aliases of users who hide their number: the conversation that a user id leads to, once upstream named the number too.
 */
export class ConversationAliases extends Migration {
  override up(): void {
    // The id that a conversation with the user id would have, made by the same keyed hash, so that no address is kept.
    this.addSql(`create table conversation_aliases (
      id text primary key,
      number_id text not null references channel_numbers (id) on delete cascade,
      conversation_id text not null,
      created_at timestamptz(3) not null
    )`)
    this.addSql('create index conversation_aliases_number on conversation_aliases (number_id)')
    this.addSql('create index conversation_aliases_age on conversation_aliases (created_at)')
  }

  override down(): void {
    this.addSql('drop table if exists conversation_aliases')
  }
}

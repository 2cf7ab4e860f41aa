import { Migration } from '@mikro-orm/migrations'

/** Whom conversations are assigned to, and what people of the account note of them. */
export class Handling extends Migration {
  override up(): void {
    // The conversation is no foreign key, since its row is made anew when two conversations become one.
    this.addSql(`create table conversation_assignments (
      conversation_id text not null primary key,
      tenant_id text not null,
      number_id text not null references channel_numbers (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      assigned_at timestamptz(3) not null
    )`)
    this.addSql(
      'create index conversation_assignments_of_tenant on conversation_assignments (tenant_id, assigned_at desc, conversation_id)',
    )
    this.addSql('create index conversation_assignments_of_user on conversation_assignments (user_id, assigned_at desc)')
    this.addSql('create index conversation_assignments_of_number on conversation_assignments (number_id)')
    // The author is no foreign key: a note outlives its author.
    this.addSql(`create table conversation_notes (
      id text not null primary key,
      tenant_id text not null,
      number_id text not null references channel_numbers (id) on delete cascade,
      conversation_id text not null,
      author_id text null,
      author_name text null,
      text text not null,
      created_at timestamptz(3) not null
    )`)
    this.addSql('create index conversation_notes_newest on conversation_notes (conversation_id, id desc)')
    this.addSql('create index conversation_notes_of_number on conversation_notes (number_id)')
  }

  override down(): void {
    this.addSql('drop table if exists conversation_notes')
    this.addSql('drop table if exists conversation_assignments')
  }
}

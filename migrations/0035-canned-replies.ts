import { Migration } from '@mikro-orm/migrations'

/** Texts that people of a tenant keep to answer with. */
export class CannedReplies extends Migration {
  override up(): void {
    this.addSql(`create table canned_replies (
      id text not null primary key,
      tenant_id text not null references tenants (id) on delete cascade,
      shortcut text not null,
      text text not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`)
    this.addSql('create unique index canned_replies_shortcut on canned_replies (tenant_id, shortcut)')
  }

  override down(): void {
    this.addSql('drop table if exists canned_replies')
  }
}

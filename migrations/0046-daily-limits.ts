import { Migration } from '@mikro-orm/migrations'

/**
 * The people whom accounts of the official platform reached lately, whose number is limited by day, and since when a
 * message waits that the limit holds.
 */
export class DailyLimits extends Migration {
  override up(): void {
    // Not deleted with the account: upstream counts on, also when a number is removed and connected again.
    this.addSql(`create table reached_people (
      account_id text not null,
      tenant_id text not null references tenants (id) on delete cascade,
      person text not null,
      reached_at timestamptz(3) not null,
      message_id text null,
      primary key (account_id, tenant_id, person)
    )`)
    this.addSql('create index reached_people_latest on reached_people (account_id, tenant_id, reached_at)')
    this.addSql('create index reached_people_age on reached_people (reached_at)')
    this.addSql('alter table messages add column held_since timestamptz(3) null')
    this.addSql(
      'create index messages_held on messages (number_id, held_since) where due_at is not null and held_since is not null',
    )
  }

  override down(): void {
    this.addSql('drop index if exists messages_held')
    this.addSql('alter table messages drop column if exists held_since')
    this.addSql('drop table if exists reached_people')
  }
}

import { Migration } from '@mikro-orm/migrations'

/**
 * What each number used on each day. A row is changed in place many times a day, so its pages keep room for its next
 * versions. Rows stay when the number is removed, and go with the tenant.
 */
export class Usage extends Migration {
  override up(): void {
    this.addSql(`create table usage_days (
      tenant_id text not null references tenants (id) on delete cascade,
      day date not null,
      number_id text not null,
      metric text not null,
      amount bigint not null,
      primary key (tenant_id, day, number_id, metric)
    ) with (fillfactor = 70)`)
    this.addSql('alter table messages add column price_category text')
  }

  override down(): void {
    this.addSql('alter table messages drop column if exists price_category')
    this.addSql('drop table if exists usage_days')
  }
}

import { Migration } from '@mikro-orm/migrations'

/** Numbers of a tenant by age, so that a page of them costs only its own rows. */
export class NumbersByAge extends Migration {
  override up(): void {
    this.addSql('create index channel_numbers_age on channel_numbers (tenant_id, created_at, id)')
  }

  override down(): void {
    this.addSql('drop index if exists channel_numbers_age')
  }
}

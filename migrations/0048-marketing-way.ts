import { Migration } from '@mikro-orm/migrations'

/** Which way MARKETING templates of a number go, and whether upstream lets its account in at their endpoint. */
export class MarketingWay extends Migration {
  override up(): void {
    this.addSql('alter table channel_numbers add column marketing text null')
    this.addSql(`alter table official_accounts
      add column is_marketing_open boolean not null default false, add column marketing_ask_at timestamptz(3) null`)
  }

  override down(): void {
    this.addSql('alter table channel_numbers drop column if exists marketing')
    this.addSql('alter table official_accounts drop column is_marketing_open, drop column marketing_ask_at')
  }
}

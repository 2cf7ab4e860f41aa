import { Migration } from '@mikro-orm/migrations'

/** What was removed of accounts a moment ago, so that no page of a listing that was read before brings it back. */
export class OfficialRemovals extends Migration {
  override up(): void {
    this.addSql(`create table official_removals (
      account_id text not null,
      tenant_id text not null,
      external_id text not null,
      removed_at timestamptz(3) not null,
      primary key (account_id, tenant_id, external_id)
    )`)
  }

  override down(): void {
    this.addSql('drop table official_removals')
  }
}

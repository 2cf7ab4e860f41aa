import { Migration } from '@mikro-orm/migrations'

/** Changes of upstream's webhooks that are worked off once for their account, not by each of its numbers. */
export class AccountChanges extends Migration {
  override up(): void {
    /**
     * Rows stay only while they wait: a change that was told before is recognised by its rows in inbound_changes.
     * leased_until is set on all rows that were taken together; an account with a live lease has somebody at work.
     */
    this.addSql(`create table account_changes (
      position bigint generated always as identity primary key,
      tenant_id text not null,
      account_id text not null,
      key text not null,
      field text not null,
      value text not null,
      received_at timestamptz(3) not null,
      leased_until timestamptz(3),
      constraint account_changes_key unique (account_id, key, tenant_id)
    )`)
    this.addSql('create index account_changes_lane on account_changes (account_id, tenant_id, position)')
  }

  override down(): void {
    this.addSql('drop table if exists account_changes')
  }
}

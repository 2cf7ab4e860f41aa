import { Migration } from '@mikro-orm/migrations'

/** OFFICIAL numbers, and the changes of upstream's webhooks for them. */
export class Official extends Migration {
  override up(): void {
    for (const statement of [...NUMBERS, ...INBOUND]) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop table if exists inbound_changes')
    this.addSql(
      'drop index if exists channel_numbers_official_phone, channel_numbers_official_account, channel_numbers_calling_due',
    )
    for (const column of COLUMNS) this.addSql(`alter table channel_numbers drop column ${column.split(' ')[0]}`)
  }
}

/** Null on UNOFFICIAL numbers. Access token and app secret are in sealed_credentials. */
const COLUMNS = [
  'official_phone_id text',
  'official_account_id text',
  'official_app_id text',
  'sealed_verify_token text',
  'calling_status text',
  'calling_tries integer not null default 0',
  'calling_due_at timestamptz(3)',
  'quality_rating text',
  'messaging_limit_tier text',
  'official_status text',
  'official_checked_at timestamptz(3)',
  'is_token_valid boolean not null default true',
]

const NUMBERS = [
  ...COLUMNS.map((column) => `alter table channel_numbers add column ${column}`),
  // A phone has one number in the whole installation, because two would both answer its calls.
  'create unique index channel_numbers_official_phone on channel_numbers (official_phone_id) where official_phone_id is not null',
  'create index channel_numbers_official_account on channel_numbers (official_account_id) where official_account_id is not null',
  'create index channel_numbers_calling_due on channel_numbers (calling_due_at) where calling_due_at is not null',
]

const INBOUND = [
  /**
   * One row for each number that a change concerns; number_id is null when no known number is meant. A settled change
   * keeps its key only, so that a repetition is recognised. There is no foreign key: the removal of a number deletes
   * its rows by statement.
   */
  `create table inbound_changes (
    position bigint generated always as identity primary key,
    tenant_id text not null,
    account_id text not null,
    key text not null,
    number_id text,
    field text not null,
    value text,
    is_pending boolean not null,
    received_at timestamptz(3) not null,
    constraint inbound_changes_key unique nulls not distinct (account_id, key, tenant_id, number_id)
  )`,
  'create index inbound_changes_pending on inbound_changes (number_id, position) where is_pending',
  'create index inbound_changes_age on inbound_changes using brin (received_at)',
]

import { Migration } from '@mikro-orm/migrations'

/** Flows, the messages that belong to them, what customers submitted, and the key pairs of their endpoints. */
export class Flows extends Migration {
  override up(): void {
    for (const statement of [...ACCOUNTS, ...FLOWS, ...MESSAGES, ...RESPONSES, ...KEYS]) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop table if exists flow_keys, flow_response_counts, flow_responses, flow_sightings, flows')
    this.addSql('alter table messages drop column flow_id, drop column flow_token')
    this.addSql('alter table official_accounts drop column flows_listed_at, drop column flows_leased_until')
    this.addSql('alter table official_accounts rename column templates_listed_at to listed_at')
    this.addSql('alter table official_accounts rename column templates_leased_until to leased_until')
    this.addSql('alter table official_accounts rename to template_accounts')
  }
}

const ACCOUNTS = [
  'alter table template_accounts rename to official_accounts',
  'alter table official_accounts rename column listed_at to templates_listed_at',
  'alter table official_accounts rename column leased_until to templates_leased_until',
  'alter table official_accounts add column flows_listed_at timestamptz(3), add column flows_leased_until timestamptz(3)',
]

const FLOWS = [
  /** Flows go with the last number of the account. JSON is kept as text, as that of templates is. */
  `create table flows (
    id text primary key,
    tenant_id text not null,
    account_id text not null,
    name text not null,
    categories text not null,
    official_status text not null,
    external_id text,
    json_version text not null default '',
    health_status text not null,
    validation_errors text not null,
    preview_url text,
    cloned_from_flow_id text,
    superseded_by_flow_id text,
    sync_error text,
    status_at timestamptz(3),
    ask text,
    asked_until timestamptz(3),
    ask_tries integer not null default 0,
    endpoint_url text,
    sealed_endpoint_secret text,
    published_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    foreign key (account_id, tenant_id) references official_accounts (account_id, tenant_id) on delete cascade,
    constraint flows_external_id unique (account_id, external_id, tenant_id)
  )`,
  // Upstream's names are unique in an account: of two Flows that wait to reach it under one name only one could.
  'create unique index flows_unborn on flows (account_id, tenant_id, name) where external_id is null',
  'create index flows_of_account on flows (account_id, tenant_id, created_at desc, id desc) include (official_status)',
  'create index flows_asked on flows (asked_until) where ask is not null',
  `create table flow_sightings (
    flow_id text primary key references flows (id) on delete cascade,
    listing text not null
  )`,
]

const MESSAGES = [
  'alter table messages add column flow_id text, add column flow_token text',
  'create index messages_flow_token on messages (number_id, flow_token, position) where flow_token is not null',
]

const RESPONSES = [
  /**
   * Responses belong to the number that received them. flow_id is null while the message that they answer is not known
   * yet; they are shown once it is. There are no foreign keys to number and Flow: their removal deletes the responses.
   */
  `create table flow_responses (
    id text primary key,
    tenant_id text not null,
    number_id text not null,
    flow_id text,
    conversation_id text not null,
    contact text not null,
    contact_name text,
    message_id text,
    external_message_id text not null,
    context_id text,
    flow_token text,
    response text not null,
    submitted_at timestamptz(3) not null,
    constraint flow_responses_message unique (number_id, external_message_id)
  )`,
  'create index flow_responses_of_flow on flow_responses (flow_id, number_id, submitted_at desc, id desc)',
  'create index flow_responses_context on flow_responses (context_id) where context_id is not null and message_id is null',
  'create index flow_responses_age on flow_responses (number_id, submitted_at)',
  /** Counts by day of UTC, so that a list tells its total without reading a long past. */
  `create table flow_response_counts (
    flow_id text not null,
    number_id text not null,
    day date not null,
    responses integer not null,
    primary key (flow_id, number_id, day)
  ) with (fillfactor = 50)`,
]

const KEYS = [
  /** Key pairs of an account in a tenant. The newest is in use; the one before it still decrypts for a while. */
  `create table flow_keys (
    id text primary key,
    tenant_id text not null,
    account_id text not null,
    public_key text not null,
    sealed_private_key text not null,
    created_at timestamptz(3) not null,
    replaced_at timestamptz(3),
    foreign key (account_id, tenant_id) references official_accounts (account_id, tenant_id) on delete cascade
  )`,
  'create index flow_keys_of_account on flow_keys (account_id, tenant_id, created_at desc)',
]

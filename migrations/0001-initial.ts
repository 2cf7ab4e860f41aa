import { Migration } from '@mikro-orm/migrations'

/** Tenants, numbers, keys, calls, leases, outbox, idempotency, pairing links. Plain SQL for PostgreSQL and PGlite. */
export class Initial extends Migration {
  override up(): void {
    for (const statement of [...ACCOUNTS, ...NUMBERS, ...WORK]) this.addSql(statement)
  }

  override down(): void {
    for (const table of [
      'idempotent_requests',
      'outbox',
      'number_leases',
      'calls',
      'pairing_links',
      'api_keys',
      'channel_numbers',
      'tenants',
    ]) {
      this.addSql(`drop table if exists ${table}`)
    }
  }
}

const ACCOUNTS = [
  `create table tenants (
    id text primary key,
    name text not null,
    plan text not null default 'unlimited',
    max_numbers integer,
    requests_per_minute integer,
    sends_per_minute integer,
    created_at timestamptz(3) not null
  )`,
]

const NUMBERS = [
  `create table channel_numbers (
    id text primary key,
    tenant_id text not null references tenants (id),
    name text not null,
    number text not null,
    provider text not null,
    state text not null default 'CLOSE',
    is_fully_connected boolean not null default false,
    settings jsonb not null,
    pii_mode text not null,
    pii_retention_days integer,
    sealed_credentials text,
    acked_seq bigint not null default 0,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint channel_numbers_tenant_number unique (tenant_id, number)
  )`,
  'create index channel_numbers_paired on channel_numbers (id) where sealed_credentials is not null',
  `create table api_keys (
    id_hash text primary key,
    key_hash text not null constraint api_keys_key_hash unique,
    sealed_id text not null,
    sealed_key text,
    tenant_id text not null references tenants (id),
    number_id text constraint api_keys_one_per_number unique references channel_numbers (id) on delete cascade,
    scope text not null,
    name text not null,
    prefix text not null,
    last4 text not null,
    created_at timestamptz(3) not null
  )`,
  'create index api_keys_tenant on api_keys (tenant_id)',
  `create table pairing_links (
    number_id text primary key references channel_numbers (id) on delete cascade,
    tenant_id text not null,
    token_hash text not null constraint pairing_links_token_hash unique,
    branding jsonb,
    redirect_url text,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3)
  )`,
]

const WORK = [
  `create table calls (
    id text primary key,
    tenant_id text not null,
    number_id text not null references channel_numbers (id) on delete cascade,
    provider text not null,
    external_call_id text,
    direction text not null,
    status text not null,
    peer_number text not null,
    from_number text not null,
    conversation_id text,
    biz_opaque_callback_data text,
    started_at timestamptz(3),
    connected_at timestamptz(3),
    ended_at timestamptz(3),
    duration_seconds integer,
    error_code text,
    error_message text,
    sdp_offer text,
    sdp_answer text,
    playback text not null default '[]',
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint calls_number_external_id unique (number_id, external_call_id)
  )`,
  'create index calls_newest on calls (number_id, created_at desc, id desc)',
  `create index calls_live on calls (number_id) where status in ('INITIATED', 'RINGING', 'ACCEPTED')`,
  // A removed number takes its lease with it, so that later writes of its last owner are fenced.
  `create table number_leases (
    number_id text primary key references channel_numbers (id) on delete cascade,
    node_id text,
    token bigint not null,
    expires_at timestamptz not null
  )`,
  'create index number_leases_node on number_leases (node_id)',
  // No foreign keys: number.removed outlives its number. data is text, so that it is delivered byte for byte as stored.
  `create table outbox (
    position bigint generated always as identity primary key,
    id text not null constraint outbox_id unique,
    tenant_id text not null,
    number_id text not null,
    event text not null,
    data text not null,
    created_at timestamptz(3) not null
  )`,
  'create index outbox_tenant on outbox (tenant_id, position)',
  `create table idempotent_requests (
    key_id_hash text not null,
    key text not null,
    fingerprint text not null,
    claimed_at timestamptz(3) not null,
    status integer,
    sealed_body text,
    primary key (key_id_hash, key)
  )`,
  'create index idempotent_requests_age on idempotent_requests (claimed_at)',
]

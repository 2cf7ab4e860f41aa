import { Migration } from '@mikro-orm/migrations'

/** Webhooks and their logs; stored events become a table apart from the outbox. */
export class Webhooks extends Migration {
  override up(): void {
    for (const statement of [...EVENTS, ...WEBHOOKS]) this.addSql(statement)
  }

  override down(): void {
    for (const table of ['delivery_batches', 'webhook_logs', 'webhooks', 'outbox'])
      this.addSql(`drop table if exists ${table}`)
    this.addSql('drop index if exists events_tenant, events_number, events_age')
    this.addSql('alter table events drop column xid')
    this.addSql('alter table events rename constraint events_id to outbox_id')
    this.addSql('alter table events rename to outbox')
    this.addSql('create index outbox_tenant on outbox (tenant_id, position)')
  }
}

const EVENTS = [
  'alter table outbox rename to events',
  'alter table events rename constraint outbox_id to events_id',
  // The transaction that stored the event. Readers stay below the oldest one under way, and so miss nothing.
  'alter table events add column xid xid8 not null default pg_current_xact_id()',
  'drop index outbox_tenant',
  'create index events_tenant on events (tenant_id, xid, position)',
  'create index events_number on events (number_id, xid, position)',
  'create index events_age on events using brin (created_at)',
  // Emptied by the relay; no foreign key, because both rows come from one statement.
  `create table outbox (
    position bigserial primary key,
    event_id text not null
  )`,
  'insert into outbox (event_id) select id from events order by position',
]

const WEBHOOKS = [
  // No foreign key to the number: number.removed is delivered after it is gone.
  `create table webhooks (
    id text primary key,
    tenant_id text not null references tenants (id),
    number_id text not null,
    provider text not null,
    name text,
    url text not null,
    active boolean not null default true,
    events jsonb not null,
    sealed_secret text not null,
    sealed_previous_secret text,
    previous_until timestamptz(3),
    last_triggered timestamptz(3),
    failing_since timestamptz(3),
    disabled_reason text,
    removed_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'create index webhooks_number on webhooks (number_id)',
  'create index webhooks_tenant on webhooks (tenant_id)',
  'create index webhooks_removed on webhooks (removed_at) where removed_at is not null',
  // No foreign key: attempts are stored in bulk, and logs of a removed webhook go with the next purge.
  `create table webhook_logs (
    id text primary key,
    webhook_id text not null,
    event_id text not null,
    event text not null,
    attempt integer not null,
    status text not null,
    status_code integer not null,
    payload text not null,
    response text not null,
    duration_ms integer not null,
    created_at timestamptz(3) not null
  )`,
  'create index webhook_logs_newest on webhook_logs (webhook_id, created_at desc, id desc)',
  'create index webhook_logs_age on webhook_logs using brin (created_at)',
  // Deliveries that a node has fetched and not settled: one row per batch, so that after a crash the node gives its own
  // back at once.
  `create table delivery_batches (
    id text primary key,
    node_id text not null,
    jobs text not null,
    fetched_at timestamptz(3) not null default now()
  )`,
  'create index delivery_batches_node on delivery_batches (node_id)',
]

import { Migration } from '@mikro-orm/migrations'

/**
 * What pages in a browser need: brands with their logos, connect links that are over, why a pairing does not go on,
 * sessions of embeds and of the dashboard.
 */
export class Pages extends Migration {
  override up(): void {
    for (const statement of [...BRANDS, ...LINKS, ...EMBEDS, ...SESSIONS]) this.addSql(statement)
  }

  override down(): void {
    this.addSql(
      'drop table if exists login_tokens, web_sessions, embed_secrets, embed_sessions, brand_logos, tenant_branding',
    )
    this.addSql('alter table channel_numbers drop column pairing_reason')
    this.addSql('delete from pairing_links where over_at is not null')
    this.addSql('drop index if exists pairing_links_live')
    this.addSql('drop index if exists pairing_links_over')
    this.addSql('alter table pairing_links drop constraint pairing_links_pkey')
    this.addSql('alter table pairing_links add primary key (number_id)')
    this.addSql('alter table pairing_links drop column over_reason, drop column over_at, drop column created_at')
  }
}

const BRANDS = [
  /** The fields that are set, named as in docs/contract/branding.md. JSON is kept as text, as that of templates is. */
  `create table tenant_branding (
    tenant_id text primary key references tenants (id) on delete cascade,
    fields text not null,
    updated_at timestamptz(3) not null
  )`,
  `create table brand_logos (
    key text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    mime_type text not null,
    file_name text not null,
    size_bytes integer not null,
    created_at timestamptz(3) not null,
    referenced_at timestamptz(3) not null
  )`,
  'create index brand_logos_referenced on brand_logos (referenced_at)',
]

/** A link that is over keeps its row for 30 days; a number has at most one that is not. */
const LINKS = [
  'alter table pairing_links drop constraint pairing_links_pkey',
  'alter table pairing_links add primary key (token_hash)',
  'alter table pairing_links add column over_reason text, add column over_at timestamptz(3), add column created_at timestamptz(3)',
  `update pairing_links set over_reason = case when consumed_at is null then null else 'USED' end, over_at = consumed_at, created_at = expires_at - interval '24 hours'`,
  'alter table pairing_links alter column created_at set not null',
  'create unique index pairing_links_live on pairing_links (number_id) where over_at is null',
  'create index pairing_links_over on pairing_links (coalesce(over_at, expires_at))',
  /** Read with the number by every page that polls, whichever node owns the number, or none. */
  'alter table channel_numbers add column pairing_reason text',
]

const EMBEDS = [
  /**
   * A session of surface connect without numbers covers all numbers of its tenant. `branding` is JSON as text. A
   * session lives as long as the key that minted it and one of its numbers; those are not foreign keys, so that a
   * session that ended with them can be told from one that never was.
   */
  `create table embed_sessions (
    id text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    key_id_hash text not null,
    surface text not null,
    number_ids text[] not null,
    allowed_origins text[] not null,
    branding text,
    ttl_seconds integer not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    expires_at timestamptz(3) not null,
    max_expires_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  )`,
  'create index embed_sessions_of_tenant on embed_sessions (tenant_id, surface, expires_at)',
  'create index embed_sessions_over on embed_sessions (coalesce(revoked_at, expires_at))',
  `create table embed_secrets (
    secret_hash text primary key,
    session_id text not null references embed_sessions (id) on delete cascade,
    ends_at timestamptz(3) not null
  )`,
  'create index embed_secrets_of_session on embed_secrets (session_id)',
]

const SESSIONS = [
  /**
   * Sessions of the dashboard. A session keeps a hash of the id of the key that its tenant had when it was opened; once
   * that key is gone, the session is over.
   */
  `create table web_sessions (
    id text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    key_id_hash text not null,
    secret_hash text not null constraint web_sessions_secret_hash unique,
    csrf_token text not null,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    address text,
    user_agent text
  )`,
  'create index web_sessions_of_tenant on web_sessions (tenant_id)',
  'create index web_sessions_seen on web_sessions (last_seen_at)',
  `create table login_tokens (
    token_hash text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    expires_at timestamptz(3) not null
  )`,
  'create index login_tokens_over on login_tokens (expires_at)',
]

import { Migration } from '@mikro-orm/migrations'

/**
 * What clients may do: clients that registered themselves, requests that nobody has decided yet, grants with their
 * numbers, codes and tokens.
 */
export class OAuth extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override down(): void {
    this.addSql(
      'drop table if exists oauth_tokens, oauth_grant_numbers, oauth_grants, oauth_interactions, oauth_clients',
    )
  }
}

const STATEMENTS = [
  /** JSON is kept as text, as that of templates is. The secret in it is a hash. */
  `create table oauth_clients (
    id text primary key,
    metadata text not null,
    address_hash text not null,
    created_at timestamptz(3) not null
  )`,
  'create index oauth_clients_of_address on oauth_clients (address_hash, created_at)',
  'create index oauth_clients_created on oauth_clients (created_at)',
  `create table oauth_interactions (
    id_hash text primary key,
    browser_hash text not null,
    asked text not null,
    expires_at timestamptz(3) not null
  )`,
  'create index oauth_interactions_over on oauth_interactions (expires_at)',
  /**
   * A grant that ended is kept for a while, for tokens that are being issued at that moment. The client is no foreign
   * key, because those of metadata documents have no row. user_id is null when it was given in a session of the tenant
   * key or of a login link.
   */
  `create table oauth_grants (
    id text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    user_id text references users (id) on delete cascade,
    client_id text not null,
    client_name text not null,
    client_uri text,
    resource text not null,
    scopes text[] not null,
    is_account_wide boolean not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    ended_at timestamptz(3)
  )`,
  'create index oauth_grants_of_tenant on oauth_grants (tenant_id, created_at)',
  'create index oauth_grants_of_user on oauth_grants (user_id)',
  'create index oauth_grants_of_client on oauth_grants (client_id)',
  /** A number that is removed leaves its grants. */
  `create table oauth_grant_numbers (
    grant_id text not null references oauth_grants (id) on delete cascade,
    number_id text not null references channel_numbers (id) on delete cascade,
    primary key (grant_id, number_id)
  )`,
  'create index oauth_grant_numbers_of_number on oauth_grant_numbers (number_id)',
  `create table oauth_tokens (
    token_hash text primary key,
    kind text not null,
    grant_id text not null references oauth_grants (id) on delete cascade,
    payload text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3)
  )`,
  'create index oauth_tokens_of_grant on oauth_tokens (grant_id)',
  'create index oauth_tokens_over on oauth_tokens (expires_at)',
]

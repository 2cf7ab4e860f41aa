import { Migration } from '@mikro-orm/migrations'

/** People of tenants, their invitations, and counts of failed logins. */
export class People extends Migration {
  override up(): void {
    for (const statement of [...USERS, ...SESSIONS, ...FAILURES]) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop table if exists login_failures, invitations')
    this.addSql('delete from web_sessions where user_id is not null')
    this.addSql('alter table web_sessions drop column user_id, drop column sessions_version')
    this.addSql('drop table if exists users')
  }
}

const USERS = [
  /**
   * `email_key` is what addresses are compared by, in the whole installation. `password` is a hash with its parameters,
   * null until an invitation is accepted. `sessions_version` rises with whatever ends all sessions: a session is live
   * while it has the same.
   */
  `create table users (
    id text primary key,
    tenant_id text not null references tenants (id) on delete cascade,
    email text not null,
    email_key text not null constraint users_email_key unique,
    name text,
    role text not null,
    status text not null,
    password text,
    sessions_version integer not null default 1,
    last_seen_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  'create index users_of_tenant on users (tenant_id, created_at, id)',
  /** A person has one invitation; a newer one replaces it. */
  `create table invitations (
    user_id text primary key references users (id) on delete cascade,
    token_hash text not null constraint invitations_token_hash unique,
    expires_at timestamptz(3) not null
  )`,
  'create index invitations_over on invitations (expires_at)',
]

const SESSIONS = [
  /** Null for a session opened by the key of the tenant or by a login token. */
  'alter table web_sessions add column user_id text references users (id) on delete cascade, add column sessions_version integer',
  'create index web_sessions_of_user on web_sessions (user_id) where user_id is not null',
]

/** Each time of a failure that still counts, under a hash of its bucket, so that no address of a stranger is kept. */
const FAILURES = [
  `create table login_failures (
    bucket_hash text primary key,
    failed_at timestamptz(3)[] not null,
    ends_at timestamptz(3) not null
  )`,
  'create index login_failures_over on login_failures (ends_at)',
]

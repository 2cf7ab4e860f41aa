import { Migration } from '@mikro-orm/migrations'

/** Templates, the accounts whose templates are listed, and files that live as long as their template. */
export class Templates extends Migration {
  override up(): void {
    for (const statement of [...ACCOUNTS, ...TEMPLATES, ...FILES, ...OTHERS]) this.addSql(statement)
  }

  override down(): void {
    this.addSql('alter table account_changes drop column told_at')
    this.addSql('alter table messages drop column template_id')
    this.addSql('alter table message_files drop column template_id')
    this.addSql('drop table if exists template_sightings, templates, template_accounts')
    this.addSql('delete from message_files where number_id is null')
    this.addSql('alter table message_files alter column number_id set not null')
  }
}

const ACCOUNTS = [
  /**
   * An account comes with its first number and goes with the last, and its templates with it. Connecting or removing a
   * number locks it, so that neither misses the other.
   */
  `create table template_accounts (
    tenant_id text not null,
    account_id text not null,
    listed_at timestamptz(3),
    leased_until timestamptz(3),
    primary key (account_id, tenant_id)
  )`,
  `insert into template_accounts (tenant_id, account_id)
    select distinct tenant_id, official_account_id from channel_numbers where official_account_id is not null`,
]

const TEMPLATES = [
  /**
   * A template belongs to an account or to a number. JSON is kept as text, because what callers write may hold what
   * jsonb refuses, and its keys keep their order.
   */
  `create table templates (
    id text primary key,
    tenant_id text not null,
    account_id text,
    number_id text references channel_numbers (id) on delete cascade,
    name text not null,
    language text not null,
    category text not null,
    source text not null,
    official_status text,
    official_language text,
    sendable boolean not null,
    variables text not null,
    body text not null,
    examples text not null,
    unsupported text not null,
    external_id text,
    upstream_status text,
    status_reason text,
    status_description text,
    quality text,
    requested_category text,
    correct_category text,
    parameters text,
    submitted text,
    files text not null,
    applied text not null,
    ask text,
    asked_until timestamptz(3),
    ask_tries integer not null default 0,
    submitted_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    foreign key (account_id, tenant_id) references template_accounts (account_id, tenant_id) on delete cascade,
    constraint templates_owner check ((account_id is null) <> (number_id is null)),
    constraint templates_account_name unique (account_id, tenant_id, name, language),
    constraint templates_number_name unique (number_id, name, language),
    constraint templates_external_id unique (account_id, external_id, tenant_id)
  )`,
  // The index includes what lists filter by, so that they find a page and count without the rows.
  `create index templates_of_account on templates (account_id, tenant_id, created_at desc, id desc)
    include (name, category, language, source, official_status, sendable) where account_id is not null`,
  `create index templates_of_number on templates (number_id, created_at desc, id desc)
    include (name, category, language, source, official_status, sendable) where number_id is not null`,
  'create index templates_asked on templates (asked_until) where ask is not null',
  `create index templates_pending on templates (account_id, tenant_id) where official_status = 'PENDING'`,
  // Kept apart from the rows, which are wide: a listing writes one for each template that it has.
  `create table template_sightings (
    template_id text primary key references templates (id) on delete cascade,
    listing text not null
  )`,
]

const FILES = [
  // Files of templates have no number, because they outlive it; a file without either belonged to a template.
  'alter table message_files alter column number_id drop not null',
  'alter table message_files add column template_id text references templates (id) on delete set null',
  'create index message_files_template on message_files (template_id) where template_id is not null',
]

const OTHERS = [
  'alter table messages add column template_id text',
  'alter table account_changes add column told_at timestamptz(3)',
]

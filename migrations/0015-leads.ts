import { Migration } from '@mikro-orm/migrations'

/** Pages with their forms, leads and notices, ads with their names, and the referrals of messages. */
export class Leads extends Migration {
  override up(): void {
    for (const statement of [...PAGES, ...LEADS, ...ADS, ...REFERRALS]) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop index if exists webhook_logs_of_leads')
    this.addSql(
      'drop table if exists referrals, ad_access, ads, lead_backfills, lead_counts, leads, lead_notices, lead_forms, lead_pages',
    )
  }
}

const PAGES = [
  /** A Page is linked once in the whole installation. JSON is kept as text, as that of templates is. */
  `create table lead_pages (
    page_id text primary key,
    tenant_id text not null,
    number_id text not null references channel_numbers (id) on delete cascade,
    page_name text,
    app_id text not null,
    sealed_token text not null,
    token_version integer not null default 1,
    is_token_valid boolean not null default true,
    sealed_app_secret text not null,
    app_secret_digest text not null,
    webhook_status text not null,
    last_lead_at timestamptz(3),
    sweep_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'create index lead_pages_of_number on lead_pages (number_id)',
  'create index lead_pages_of_tenant on lead_pages (tenant_id)',
  'create index lead_pages_of_app on lead_pages (app_id)',
  'create index lead_pages_sweep on lead_pages (sweep_at) where is_token_valid',
  /** A tenant's settings of a form. */
  `create table lead_forms (
    page_id text not null references lead_pages (page_id) on delete cascade,
    form_id text not null,
    consent_key text,
    auto_send text,
    updated_at timestamptz(3) not null,
    primary key (page_id, form_id)
  )`,
  /**
   * Leads that upstream told of and that are not fetched yet. The key includes the Page, so that an app that tells of a
   * lead that is not its own keeps it from nobody. There is no personal data.
   */
  `create table lead_notices (
    leadgen_id text not null,
    page_id text not null references lead_pages (page_id) on delete cascade,
    form_id text,
    ad_id text,
    tries integer not null default 0,
    due_at timestamptz(3) not null,
    noticed_at timestamptz(3) not null,
    primary key (leadgen_id, page_id)
  )`,
  'create index lead_notices_due on lead_notices (page_id, due_at)',
  `create table lead_backfills (
    id text primary key,
    tenant_id text not null,
    number_id text not null references channel_numbers (id) on delete cascade,
    page_id text not null,
    form_id text not null,
    status text not null,
    since timestamptz(3) not null,
    until timestamptz(3) not null,
    cursor text,
    read integer not null default 0,
    imported integer not null default 0,
    duplicates integer not null default 0,
    tries integer not null default 0,
    waiting_until timestamptz(3),
    due_at timestamptz(3),
    error_code text,
    error_message text,
    started_at timestamptz(3) not null,
    finished_at timestamptz(3)
  )`,
  "create unique index lead_backfills_running on lead_backfills (page_id, form_id) where status = 'RUNNING'",
  'create index lead_backfills_of_form on lead_backfills (page_id, form_id, started_at desc, id desc)',
  'create index lead_backfills_due on lead_backfills (due_at) where due_at is not null',
]

const LEADS = [
  /**
   * `contact_id` is the conversation that the lead's phone would have, known without the phone. There is no foreign
   * key: the removal of a number deletes its leads. An erased lead keeps its ids, so that it is never imported again.
   */
  `create table leads (
    id text primary key,
    leadgen_id text not null,
    tenant_id text not null,
    number_id text not null,
    page_id text not null,
    page_name text,
    form_id text not null,
    form_name text,
    ad_id text,
    ad_name text,
    adset_name text,
    campaign_name text,
    platform text,
    is_organic boolean,
    full_name text,
    email text,
    phone text,
    fields text not null default '[]',
    consent_given boolean,
    contact_id text,
    auto_send_status text not null,
    auto_send_reason text,
    sealed_auto_send text,
    auto_send_message_id text,
    auto_send_due_at timestamptz(3),
    source text not null,
    is_redacted boolean not null,
    event_id text,
    created_at timestamptz(3) not null,
    received_at timestamptz(3) not null,
    erased_at timestamptz(3),
    constraint leads_leadgen unique (leadgen_id)
  )`,
  'create index leads_of_number on leads (number_id, created_at desc, id desc) where erased_at is null',
  'create index leads_of_form on leads (number_id, form_id, created_at desc, id desc) where erased_at is null',
  'create index leads_of_ad on leads (number_id, ad_id, created_at desc, id desc) where erased_at is null and ad_id is not null',
  'create index leads_of_form_and_ad on leads (number_id, ad_id, form_id, created_at desc, id desc) where erased_at is null and ad_id is not null',
  'create index leads_of_page on leads (number_id, page_id, created_at desc, id desc) where erased_at is null',
  "create index leads_answered on leads (contact_id, form_id, received_at) where auto_send_status in ('pending', 'sent')",
  'create index leads_auto_sends on leads (auto_send_due_at) where auto_send_due_at is not null',
  'create index leads_kept on leads (number_id, created_at) where not is_redacted and erased_at is null',
  'create index leads_erased on leads (number_id) where erased_at is not null',
  // Finds the logs of an erased lead.
  "create index webhook_logs_of_leads on webhook_logs (event_id) where event = 'lead.received'",
  /**
   * Counts by day of UTC, so that a list tells its total without reading a long past. `scope` is empty for all of the
   * number, else any of `form`, `ad` and `page` with their ids (`form+page 1 2`).
   */
  `create table lead_counts (
    number_id text not null,
    scope text not null,
    day date not null,
    leads integer not null,
    primary key (number_id, scope, day)
  ) with (fillfactor = 50)`,
]

const ADS = [
  /**
   * Ads as a number knows them. `due_at` is when upstream is to be asked for the names, `leased_until` when the ask
   * under way ends.
   */
  `create table ads (
    number_id text not null references channel_numbers (id) on delete cascade,
    ad_id text not null,
    page_id text,
    ad_name text,
    adset_id text,
    adset_name text,
    campaign_id text,
    campaign_name text,
    names_resolved_at timestamptz(3),
    is_refused boolean not null default false,
    asked_at timestamptz(3),
    clicked_at timestamptz(3) not null,
    tries integer not null default 0,
    due_at timestamptz(3),
    leased_until timestamptz(3),
    primary key (number_id, ad_id)
  )`,
  'create index ads_due on ads (number_id, due_at) where due_at is not null',
  'create index ads_leased on ads (number_id, leased_until) where leased_until is not null',
  `create table ad_access (
    number_id text primary key references channel_numbers (id) on delete cascade,
    sealed_token text not null,
    ad_accounts text not null,
    checked_at timestamptz(3) not null
  )`,
]

const REFERRALS = [
  /**
   * One referral for each conversation that an ad or post began. Referrals outlive their message and have no foreign
   * keys, like leads. Names are stored with the ad; `final_at` is since when there are none to ask for. `previous_at`
   * is the time of the previous referral of the same conversation and source, so that the conversations of any range
   * are counted by its rows alone.
   */
  `create table referrals (
    message_id text primary key,
    tenant_id text not null,
    number_id text not null,
    conversation_id text not null,
    external_message_id text,
    type text not null,
    source_id text,
    source_type text,
    source_url text,
    headline text,
    body text,
    media_type text,
    image_url text,
    video_url text,
    thumbnail_url text,
    welcome_message text,
    ctwa_clid text,
    final_at timestamptz(3),
    previous_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  'create index referrals_of_number on referrals (number_id, created_at desc, message_id desc)',
  'create index referrals_of_source on referrals (number_id, source_id, created_at desc, message_id desc) include (previous_at) where source_id is not null',
  'create index referrals_of_conversation on referrals (conversation_id, created_at)',
  'create index referrals_clicked on referrals (number_id, created_at) where ctwa_clid is not null',
]

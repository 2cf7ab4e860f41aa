import type { LeadFormSettings, LeadPage } from '../../domain/lead.ts'
import type { LeadPagePatch, LeadPageScope, LeadPageStore, NewLeadPage } from '../../ports/stores/lead-page-store.ts'
import type { SqlParameter } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { toJson } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'
import { appSecretDigest, openAppSecret, PAGE_COLUMNS, sealAppSecret, sealToken, SECRET_COLUMNS, SETTINGS, toPage, toSecrets, type FormRow, type PageRow, type SecretRow } from './row.ts'

/** contract 12, Sweep: the first comes an hour after linking. */
const FIRST_SWEEP_MS = 3_600_000

/** The number is held: whoever removes it waits, and then removes the Page. */
const CREATE = `with number as (
    select id from channel_numbers where id = $3 and tenant_id = $2 for key share
  ), made as (
    insert into lead_pages (page_id, tenant_id, number_id, page_name, app_id, sealed_token, sealed_app_secret, app_secret_digest, webhook_status, sweep_at, created_at, updated_at)
    select $1, $2, id, $4, $5, $6, $7, $8, $9, $10::timestamptz, $11::timestamptz, $11::timestamptz from number
    on conflict (page_id) do nothing returning page_id
  )
  select exists (select 1 from made) as is_made from number`

/** True of Pages `p` of tenant `$1`, and of number `$2` where it is one. */
const IN_SCOPE = 'p.tenant_id = $1 and ($2::text is null or p.number_id = $2)'

/** What waits for a new token is due at once, whoever works at it. */
const REVIVE = 'update lead_notices set due_at = $2::timestamptz where page_id = $1'

/** The version rises, as with a new one: what was said of the token before counts for nothing. */
const TOKEN_LIVES = `with lives as (
    update lead_pages set is_token_valid = true, token_version = token_version + 1, updated_at = $3::timestamptz
    where page_id = $1 and token_version = $2 and not is_token_valid returning page_id
  )
  update lead_notices n set due_at = $3::timestamptz from lives where n.page_id = lives.page_id`

/** Behind the removal: whoever started one holds its Page. */
const END_BACKFILLS = `update lead_backfills set status = 'FAILED', error_code = 'LEAD_PAGE_REMOVED', error_message = 'The Page is no longer linked',
    waiting_until = null, due_at = null, finished_at = $2::timestamptz
  where page_id = $1 and status = 'RUNNING'`

const TAKE_SWEEPS = `with due as (
    select page_id from lead_pages where is_token_valid and sweep_at <= $1::timestamptz order by sweep_at limit $3 for update skip locked
  )
  update lead_pages p set sweep_at = $2::timestamptz from due where p.page_id = due.page_id returning p.page_id`

const SET_FORM = `insert into lead_forms (page_id, form_id, consent_key, auto_send, updated_at)
  select p.page_id, $4, $5, $6, $7::timestamptz from (select * from lead_pages p where p.page_id = $3 and ${IN_SCOPE} for key share) p
  on conflict (page_id, form_id) do update set consent_key = excluded.consent_key, auto_send = excluded.auto_send, updated_at = excluded.updated_at
  returning 1`

/** Pages as rows. */
class SqlLeadPageStore implements LeadPageStore {
  readonly #database: Engine['database']
  readonly #cipher: Engine['cipher']
  readonly #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async create(page: NewLeadPage): ReturnType<LeadPageStore['create']> {
    const { pageId, tenantId, channelNumberId, pageName, appId, webhookStatus, accessToken, appSecret } = page
    const rows = await this.#database.query<{ is_made: boolean }>(CREATE, [
      pageId, tenantId, channelNumberId, pageName, appId, sealToken(this.#cipher, pageId, accessToken), sealAppSecret(this.#cipher, pageId, appSecret),
      appSecretDigest(this.#cipher, appId, appSecret), webhookStatus, this.#at(FIRST_SWEEP_MS), this.#at(),
    ])
    if (!rows[0]) return { kind: 'gone' }
    const made = rows[0].is_made ? await this.find({ tenantId, numberId: null }, pageId) : null
    if (made) return { kind: 'created', page: made }
    return { kind: rows[0].is_made ? 'gone' : 'taken' }
  }

  async list(scope: LeadPageScope): Promise<LeadPage[]> {
    const rows = await this.#database.query<PageRow>(`select ${PAGE_COLUMNS} from lead_pages p where ${IN_SCOPE} order by p.created_at, p.page_id`, inScope(scope))
    return rows.map(toPage)
  }

  async find(scope: LeadPageScope, pageId: string): Promise<LeadPage | null> {
    const rows = await this.#database.query<PageRow>(`select ${PAGE_COLUMNS} from lead_pages p where p.page_id = $3 and ${IN_SCOPE}`, [...inScope(scope), pageId])
    return rows[0] ? toPage(rows[0]) : null
  }

  async load(pageId: string): ReturnType<LeadPageStore['load']> {
    const rows = await this.#database.query<PageRow & SecretRow>(`select ${PAGE_COLUMNS}, ${SECRET_COLUMNS} from lead_pages p where p.page_id = $1`, [pageId])
    return rows[0] ? { page: toPage(rows[0]), secrets: toSecrets(this.#cipher, rows[0]) } : null
  }

  patch(scope: LeadPageScope, pageId: string, patch: LeadPagePatch): Promise<LeadPage | 'gone' | null> {
    return despiteDeadlock(() => this.#database.transaction(async (session) => {
      const { channelNumberId } = patch
      // Numbers before Pages, as by who stores a lead.
      const target = channelNumberId === undefined ? [{}]
        : await session.query('select 1 from channel_numbers where id = $1 and tenant_id = $2 for key share', [channelNumberId, scope.tenantId])
      const found = await session.query<{ app_id: string }>(`select p.app_id from lead_pages p where p.page_id = $3 and ${IN_SCOPE} for no key update`, [...inScope(scope), pageId])
      if (!found[0]) return null
      if (target.length === 0) return 'gone'
      const { sql, values } = this.#patchSql(pageId, found[0].app_id, patch)
      const rows = await session.query<PageRow>(sql, values)
      if (patch.accessToken !== undefined) await session.query(REVIVE, [pageId, this.#at()])
      // An import goes with the number its leads go to.
      if (channelNumberId !== undefined) await session.query('update lead_backfills set number_id = $2 where page_id = $1 and tenant_id = $3', [pageId, channelNumberId, scope.tenantId])
      return rows[0] ? toPage(rows[0]) : null
    }))
  }

  #patchSql(pageId: string, appId: string, patch: LeadPagePatch) {
    const p = new Parameters()
    const sets = [`updated_at = ${p.time(this.#clock.now())}`]
    if (patch.channelNumberId !== undefined) sets.push(`number_id = ${p.add(patch.channelNumberId)}`)
    if (patch.pageName !== undefined) sets.push(`page_name = ${p.add(patch.pageName)}`)
    if (patch.webhookStatus !== undefined) sets.push(`webhook_status = ${p.add(patch.webhookStatus)}`)
    if (patch.accessToken !== undefined) {
      sets.push(`sealed_token = ${p.add(sealToken(this.#cipher, pageId, patch.accessToken))}`, 'token_version = p.token_version + 1', 'is_token_valid = true')
    }
    if (patch.appSecret !== undefined) {
      sets.push(`sealed_app_secret = ${p.add(sealAppSecret(this.#cipher, pageId, patch.appSecret))}`, `app_secret_digest = ${p.add(appSecretDigest(this.#cipher, appId, patch.appSecret))}`)
    }
    return { sql: `update lead_pages p set ${sets.join(', ')} where p.page_id = ${p.add(pageId)} returning ${PAGE_COLUMNS}`, values: p.values }
  }

  remove(scope: LeadPageScope, pageId: string): Promise<boolean> {
    return despiteDeadlock(() => this.#database.transaction(async (session) => {
      const removed = await session.query(`delete from lead_pages p where p.page_id = $3 and ${IN_SCOPE} returning 1`, [...inScope(scope), pageId])
      if (removed.length === 0) return false
      await session.query(END_BACKFILLS, [pageId, this.#at()])
      return true
    }))
  }

  async tokenDied(pageId: string, tokenVersion: number): Promise<void> {
    await this.#database.query('update lead_pages set is_token_valid = false, updated_at = $3::timestamptz where page_id = $1 and token_version = $2 and is_token_valid', [pageId, tokenVersion, this.#at()])
  }

  async tokenLives(pageId: string, tokenVersion: number): Promise<void> {
    await despiteDeadlock(() => this.#database.query(TOKEN_LIVES, [pageId, tokenVersion, this.#at()]))
  }

  async appSecretsOf(appId: string): Promise<readonly string[]> {
    const rows = await this.#database.query<Pick<SecretRow, 'page_id' | 'sealed_app_secret'>>(
      'select distinct on (p.app_secret_digest) p.page_id, p.sealed_app_secret from lead_pages p where p.app_id = $1 order by p.app_secret_digest, p.page_id', [appId])
    return rows.map((row) => openAppSecret(this.#cipher, row))
  }

  async takeSweeps(limit: number, everyMs: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ page_id: string }>(TAKE_SWEEPS, [this.#at(), this.#at(everyMs), limit])
    return rows.map((row) => row.page_id)
  }

  async formSettings(pageId: string, formId: string): Promise<LeadFormSettings> {
    const rows = await this.#database.query<FormRow>(`select ${SETTINGS.list()} from lead_forms where page_id = $1 and form_id = $2`, [pageId, formId])
    return SETTINGS.read(rows[0] ?? { consent_key: null, auto_send: null })
  }

  async allFormSettings(pageId: string): Promise<ReadonlyMap<string, LeadFormSettings>> {
    const rows = await this.#database.query<FormRow & { form_id: string }>(`select form_id, ${SETTINGS.list()} from lead_forms where page_id = $1`, [pageId])
    return new Map(rows.map((row) => [row.form_id, SETTINGS.read(row)]))
  }

  async setForm(scope: LeadPageScope, pageId: string, formId: string, { consentKey, autoSend }: LeadFormSettings): Promise<boolean> {
    const rows = await this.#database.query(SET_FORM, [...inScope(scope), pageId, formId, consentKey, toJson(autoSend), this.#at()])
    return rows.length > 0
  }

  #at(inMs = 0): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

function inScope({ tenantId, numberId }: LeadPageScope): SqlParameter[] {
  return [tenantId, numberId]
}

/** Pages over an open database. */
export function openLeadPages(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): { readonly leadPages: LeadPageStore } {
  return { leadPages: new SqlLeadPageStore(engine) }
}

import type { LeadFormSettings, LeadPage } from '../../domain/lead.ts'
import type { LeadPagePatch, LeadPageScope, LeadPageStore, NewLeadPage } from '../../ports/stores/lead-page-store.ts'
import { isDuplicate } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { LeadBackfillEntity } from '../lead-backfills/entity.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { LeadFormEntity, LeadNoticeEntity, LeadPageEntity } from './entity.ts'
import { appSecretDigest, openAppSecret, sealAppSecret, sealToken, toPage, toSecrets, type PageRecord } from './row.ts'

/** The first sweep comes an hour after linking ([leads.sweep.1]). */
const FIRST_SWEEP_MS = 3_600_000

/** One row per secret, because many Pages of an app are linked with the same one. */
const APP_SECRETS = rowsOf(LeadPageEntity).only('pageId', 'sealedAppSecret')
const SECRETS_OF_APP = `select distinct on (app_secret_digest) ${APP_SECRETS.list()} from lead_pages where app_id = $1 order by app_secret_digest, page_id`

const TAKE_SWEEPS = `with due as (
    select page_id from lead_pages where is_token_valid and sweep_at <= $1::timestamptz order by sweep_at limit $3 for update skip locked
  )
  update lead_pages p set sweep_at = $2::timestamptz from due where p.page_id = due.page_id returning p.page_id`

const FORGOTTEN = {
  status: 'FAILED',
  errorCode: 'LEAD_PAGE_REMOVED',
  errorMessage: 'The Page is no longer linked',
  waitingUntil: null,
  dueAt: null,
} as const

/** Pages as entities of their tenant, and of their number when the caller has only one. */
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
    const { pageId, tenantId, channelNumberId: numberId, pageName, appId, webhookStatus, accessToken, appSecret } = page
    const isNumberThere = await this.#database
      .unitOfWork({ tenantId }, async (rows) => {
        // The lock makes a removal of the number wait; the removal then removes the Page.
        if (!(await rows.readOne(ChannelNumberEntity, { id: numberId }, { lock: 'key share' }))) return false
        await rows.added(LeadPageEntity, {
          pageId,
          tenantId,
          numberId,
          pageName,
          appId,
          webhookStatus,
          sealedToken: sealToken(this.#cipher, pageId, accessToken),
          sealedAppSecret: sealAppSecret(this.#cipher, pageId, appSecret),
          appSecretDigest: appSecretDigest(this.#cipher, appId, appSecret),
          sweepAt: this.#at(FIRST_SWEEP_MS),
          createdAt: this.#at(),
          updatedAt: this.#at(),
        })
        return true
      })
      .catch((error: unknown) => {
        if (isDuplicate(error, 'lead_pages_pkey')) return null
        throw error
      })
    if (isNumberThere === null) return { kind: 'taken' }
    const made = isNumberThere ? await this.find({ tenantId, numberId: null }, pageId) : null
    return made ? { kind: 'created', page: made } : { kind: 'gone' }
  }

  async list(scope: LeadPageScope): Promise<LeadPage[]> {
    const rows = this.#database.entities(scope)
    return withPending(rows, await rows.read(LeadPageEntity, {}, { orderBy: { createdAt: 'asc', pageId: 'asc' } }))
  }

  async find(scope: LeadPageScope, pageId: string): Promise<LeadPage | null> {
    const rows = this.#database.entities(scope)
    const [page] = await withPending(rows, await rows.read(LeadPageEntity, { pageId }))
    return page ?? null
  }

  async load(pageId: string): ReturnType<LeadPageStore['load']> {
    const rows = this.#database.entities(EVERYBODY)
    const found = await rows.read(LeadPageEntity, { pageId })
    const [page] = await withPending(rows, found)
    return found[0] && page ? { page, secrets: toSecrets(this.#cipher, found[0]) } : null
  }

  patch(scope: LeadPageScope, pageId: string, patch: LeadPagePatch): Promise<LeadPage | 'gone' | null> {
    return despiteDeadlock(() =>
      this.#database.unitOfWork(scope, async (rows) => {
        const { channelNumberId } = patch
        // Numbers are locked before Pages, as by whoever stores a lead.
        const isNumberThere =
          channelNumberId === undefined
          || (await rows.readOne(ChannelNumberEntity, { id: channelNumberId }, { lock: 'key share' })) !== null
        const before = await rows.readOne(LeadPageEntity, { pageId }, { lock: 'no key update' })
        if (!before) return null
        if (!isNumberThere) return 'gone'
        const written = await rows.updated(LeadPageEntity, { pageId }, this.#written(before, patch))
        // Notices that wait for a new token are due at once, whoever works them off.
        if (patch.accessToken !== undefined) await rows.changed(LeadNoticeEntity, { pageId }, { dueAt: this.#at() })
        // A running import follows its Page to the new number.
        if (channelNumberId !== undefined)
          await rows.changed(LeadBackfillEntity, { pageId, tenantId: scope.tenantId }, { numberId: channelNumberId })
        const [page] = await withPending(rows, written)
        return page ?? null
      }),
    )
  }

  #written(
    { pageId, appId, tokenVersion }: PageRecord,
    { channelNumberId, pageName, webhookStatus, accessToken, appSecret }: LeadPagePatch,
  ) {
    return {
      updatedAt: this.#at(),
      ...(channelNumberId === undefined ? {} : { numberId: channelNumberId }),
      ...(pageName === undefined ? {} : { pageName }),
      ...(webhookStatus === undefined ? {} : { webhookStatus }),
      ...(accessToken === undefined
        ? {}
        : {
            sealedToken: sealToken(this.#cipher, pageId, accessToken),
            tokenVersion: tokenVersion + 1,
            isTokenValid: true,
          }),
      ...(appSecret === undefined
        ? {}
        : {
            sealedAppSecret: sealAppSecret(this.#cipher, pageId, appSecret),
            appSecretDigest: appSecretDigest(this.#cipher, appId, appSecret),
          }),
    }
  }

  remove(scope: LeadPageScope, pageId: string): Promise<boolean> {
    return despiteDeadlock(() =>
      this.#database.unitOfWork(scope, async (rows) => {
        if ((await rows.removed(LeadPageEntity, { pageId })) === 0) return false
        // Runs after the removal, because whoever starts an import holds the lock of its Page.
        await rows.changed(LeadBackfillEntity, { pageId, status: 'RUNNING' }, { ...FORGOTTEN, finishedAt: this.#at() })
        return true
      }),
    )
  }

  async tokenDied(pageId: string, tokenVersion: number): Promise<void> {
    await this.#database
      .entities(EVERYBODY)
      .changed(
        LeadPageEntity,
        { pageId, tokenVersion, isTokenValid: true },
        { isTokenValid: false, updatedAt: this.#at() },
      )
  }

  /**
   * Marks the token valid. The version rises, as with a new token, so that an older verdict on it counts for nothing.
   */
  async tokenLives(pageId: string, tokenVersion: number): Promise<void> {
    await despiteDeadlock(() =>
      this.#database.unitOfWork(EVERYBODY, async (rows) => {
        const lives = { isTokenValid: true, tokenVersion: tokenVersion + 1, updatedAt: this.#at() }
        if ((await rows.changed(LeadPageEntity, { pageId, tokenVersion, isTokenValid: false }, lives)) === 0) return
        await rows.changed(LeadNoticeEntity, { pageId }, { dueAt: this.#at() })
      }),
    )
  }

  async appSecretsOf(appId: string): Promise<readonly string[]> {
    const rows = await this.#database.query<RowIn<typeof APP_SECRETS>>(SECRETS_OF_APP, [appId])
    return rows.map((row) => openAppSecret(this.#cipher, APP_SECRETS.read(row)))
  }

  async takeSweeps(limit: number, everyMs: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ page_id: string }>(TAKE_SWEEPS, [
      this.#at().toISOString(),
      this.#at(everyMs).toISOString(),
      limit,
    ])
    return rows.map((row) => row.page_id)
  }

  async formSettings(pageId: string, formId: string): Promise<LeadFormSettings> {
    const form = await this.#database.entities().readOne(LeadFormEntity, { pageId, formId })
    return { consentKey: form?.consentKey ?? null, autoSend: form?.autoSend ?? null }
  }

  async allFormSettings(pageId: string): Promise<ReadonlyMap<string, LeadFormSettings>> {
    const forms = await this.#database.entities().read(LeadFormEntity, { pageId })
    return new Map(forms.map(({ formId, consentKey, autoSend }) => [formId, { consentKey, autoSend }]))
  }

  setForm(
    scope: LeadPageScope,
    pageId: string,
    formId: string,
    { consentKey, autoSend }: LeadFormSettings,
  ): Promise<boolean> {
    return this.#database.unitOfWork(scope, async (rows) => {
      if (!(await rows.readOne(LeadPageEntity, { pageId }, { lock: 'key share' }))) return false
      await rows.upserted(LeadFormEntity, { pageId, formId, consentKey, autoSend, updatedAt: this.#at() })
      return true
    })
  }

  #at(inMs = 0): Date {
    return new Date(this.#clock.now() + inMs)
  }
}

/** Pages with how many of their leads were told of and are not fetched yet. */
async function withPending(rows: UnitManager, pages: readonly PageRecord[]): Promise<LeadPage[]> {
  if (pages.length === 0) return []
  const pending = await rows.countBy(LeadNoticeEntity, 'pageId', {
    pageId: { $in: pages.map(({ pageId }) => pageId) },
  })
  return pages.map((page) => toPage(page, pending[page.pageId] ?? 0))
}

/** Pages over an open database. */
export function openLeadPages(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): {
  readonly leadPages: LeadPageStore
} {
  return { leadPages: new SqlLeadPageStore(engine) }
}

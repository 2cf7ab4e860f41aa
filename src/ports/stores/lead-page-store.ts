import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { LeadFormSettings, LeadPage, PageWebhookStatus } from '../../domain/lead.ts'

/** What upstream is asked with for a Page; sealed at rest, never logged. */
export interface LeadPageSecrets {
  readonly accessToken: string
  /** Rises with each new token: what upstream said of one that was replaced meanwhile counts for nothing. */
  readonly tokenVersion: number
  readonly appSecret: string
}

export interface NewLeadPage
  extends
    Pick<LeadPage, 'pageId' | 'pageName' | 'tenantId' | 'channelNumberId' | 'appId' | 'webhookStatus'>,
    Pick<LeadPageSecrets, 'accessToken' | 'appSecret'> {}

/** Absent fields stay. A new token is good, and what waits for it is due at once. */
export interface LeadPagePatch {
  readonly channelNumberId?: NumberId
  readonly pageName?: string | null
  readonly accessToken?: string
  readonly appSecret?: string
  readonly webhookStatus?: PageWebhookStatus
}

/** Whose Pages: a tenant's, and of them those of one number where it is named. */
export interface LeadPageScope {
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
}

/**
 * Pages linked to numbers, each once in the installation, and what tenants set for their forms. They go with their
 * number.
 */
export interface LeadPageStore {
  /** `taken`: linked anywhere already; `gone`: the number was removed. */
  create(
    page: NewLeadPage,
  ): Promise<{ readonly kind: 'created'; readonly page: LeadPage } | { readonly kind: 'taken' | 'gone' }>
  /** Oldest first. */
  list(scope: LeadPageScope): Promise<LeadPage[]>
  find(scope: LeadPageScope, pageId: string): Promise<LeadPage | null>
  /** Of any tenant, for work in the background. */
  load(pageId: string): Promise<{ readonly page: LeadPage; readonly secrets: LeadPageSecrets } | null>
  /** `gone`: the number it is to move to was removed. */
  patch(scope: LeadPageScope, pageId: string, patch: LeadPagePatch): Promise<LeadPage | 'gone' | null>
  /**
   * With its notices and what was set for its forms; a running backfill fails LEAD_PAGE_REMOVED. Its leads stay. False:
   * there was none.
   */
  remove(scope: LeadPageScope, pageId: string): Promise<boolean>
  /** Upstream called the token dead, unless it was replaced since. */
  tokenDied(pageId: string, tokenVersion: number): Promise<void>
  /**
   * Upstream takes the token again that counted as dead, unless it was replaced since: what waits for it is due at
   * once.
   */
  tokenLives(pageId: string, tokenVersion: number): Promise<void>
  /** Each once, of all Pages linked with the app. */
  appSecretsOf(appId: string): Promise<readonly string[]>
  /** Pages with a good token whose sweep is due; the next is put off by `everyMs` at once. */
  takeSweeps(limit: number, everyMs: number): Promise<readonly string[]>
  /** Nothing set: no consent, no answer. */
  formSettings(pageId: string, formId: string): Promise<LeadFormSettings>
  /** By form id; forms without settings are absent. */
  allFormSettings(pageId: string): Promise<ReadonlyMap<string, LeadFormSettings>>
  /** Replaces both. False: the Page is gone, or another's. */
  setForm(scope: LeadPageScope, pageId: string, formId: string, settings: LeadFormSettings): Promise<boolean>
}

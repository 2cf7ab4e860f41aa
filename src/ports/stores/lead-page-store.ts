import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { LeadFormSettings, LeadPage, PageWebhookStatus } from '../../domain/lead.ts'

/** The credentials of requests about a Page; sealed at rest, never logged. */
export interface LeadPageSecrets {
  readonly accessToken: string
  /** Rises with each new token: what upstream says of a replaced token is ignored. */
  readonly tokenVersion: number
  readonly appSecret: string
}

export interface NewLeadPage
  extends
    Pick<LeadPage, 'pageId' | 'pageName' | 'tenantId' | 'channelNumberId' | 'appId' | 'webhookStatus'>,
    Pick<LeadPageSecrets, 'accessToken' | 'appSecret'> {}

/** The fields to change; absent ones stay. A new token counts as valid, and makes what waits for it due at once. */
export interface LeadPagePatch {
  readonly channelNumberId?: NumberId
  readonly pageName?: string | null
  readonly accessToken?: string
  readonly appSecret?: string
  readonly webhookStatus?: PageWebhookStatus
}

/** Whose Pages: those of a tenant, or of one of its numbers when it is named. */
export interface LeadPageScope {
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
}

/**
 * Pages linked to numbers, each once in the installation ([leads.scope.2]), and the settings of their forms. They are
 * removed with their number.
 */
export interface LeadPageStore {
  /** Links a Page. `taken`: it is linked somewhere already; `gone`: the number was removed. */
  create(
    page: NewLeadPage,
  ): Promise<{ readonly kind: 'created'; readonly page: LeadPage } | { readonly kind: 'taken' | 'gone' }>
  /** Lists Pages, oldest first. */
  list(scope: LeadPageScope): Promise<LeadPage[]>
  find(scope: LeadPageScope, pageId: string): Promise<LeadPage | null>
  /** Reads a Page of any tenant, for work in the background. */
  load(pageId: string): Promise<{ readonly page: LeadPage; readonly secrets: LeadPageSecrets } | null>
  /** Changes a Page. `gone`: the number that it is to move to was removed. */
  patch(scope: LeadPageScope, pageId: string, patch: LeadPagePatch): Promise<LeadPage | 'gone' | null>
  /**
   * Removes a Page with its notices and the settings of its forms; a running backfill fails LEAD_PAGE_REMOVED
   * ([leads.backfill.4]). Its leads stay. False when there was none.
   */
  remove(scope: LeadPageScope, pageId: string): Promise<boolean>
  /** Notes that upstream called the token dead, unless it was replaced since. */
  tokenDied(pageId: string, tokenVersion: number): Promise<void>
  /**
   * Notes that upstream takes a token again that counted as dead, unless it was replaced since: what waits for it is
   * due at once.
   */
  tokenLives(pageId: string, tokenVersion: number): Promise<void>
  /** Lists the app secrets of all Pages linked with the app, each once. */
  appSecretsOf(appId: string): Promise<readonly string[]>
  /** Takes Pages with a valid token whose sweep is due; the next is `everyMs` away. */
  takeSweeps(limit: number, everyMs: number): Promise<readonly string[]>
  /** Reads the settings of a form; without any: no consent, no answer. */
  formSettings(pageId: string, formId: string): Promise<LeadFormSettings>
  /** Reads settings by form id; forms without settings are absent. */
  allFormSettings(pageId: string): Promise<ReadonlyMap<string, LeadFormSettings>>
  /** Replaces both settings of a form. False when the Page is gone, or another's. */
  setForm(scope: LeadPageScope, pageId: string, formId: string, settings: LeadFormSettings): Promise<boolean>
}

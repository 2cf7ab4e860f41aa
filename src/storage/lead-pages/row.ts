import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AutoSend, LeadFormSettings, LeadPage, PageWebhookStatus } from '../../domain/lead.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { LeadPageSecrets } from '../../ports/stores/lead-page-store.ts'
import { fromJson, toDate, toDateOrNull } from '../engine/rows.ts'

/** What a read selects of Pages `p`. */
export interface PageRow {
  readonly page_id: string
  readonly tenant_id: TenantId
  readonly number_id: NumberId
  readonly page_name: string | null
  readonly app_id: string
  readonly is_token_valid: boolean
  readonly webhook_status: PageWebhookStatus
  readonly last_lead_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly pending_leads: number
}

export interface SecretRow {
  readonly page_id: string
  readonly sealed_token: string
  readonly token_version: number
  readonly sealed_app_secret: string
}

export const PAGE_COLUMNS = `p.page_id, p.tenant_id, p.number_id, p.page_name, p.app_id, p.is_token_valid, p.webhook_status, p.last_lead_at, p.created_at, p.updated_at,
  (select count(*)::integer from lead_notices w where w.page_id = p.page_id) as pending_leads`
export const SECRET_COLUMNS = 'p.sealed_token, p.token_version, p.sealed_app_secret'

/** What tokens of Pages are sealed with. */
export function pageTokenContext(pageId: string): string {
  return `lead-page-token:${pageId}`
}

/** What app secrets of Pages are sealed with. */
export function pageSecretContext(pageId: string): string {
  return `lead-page-app-secret:${pageId}`
}

export function sealToken(cipher: Cipher, pageId: string, accessToken: string): string {
  return cipher.seal(accessToken, pageTokenContext(pageId))
}

export function sealAppSecret(cipher: Cipher, pageId: string, appSecret: string): string {
  return cipher.seal(appSecret, pageSecretContext(pageId))
}

/** Finds the Pages of an app that are linked with a secret, without opening any. Keyed, and of one app. */
export function appSecretDigest(cipher: Cipher, appId: string, appSecret: string): string {
  return Buffer.from(cipher.token(appSecret, `lead-app-secret:${appId}`)).toString('base64url')
}

export function openAppSecret(cipher: Cipher, row: Pick<SecretRow, 'page_id' | 'sealed_app_secret'>): string {
  return cipher.open(row.sealed_app_secret, pageSecretContext(row.page_id))
}

export function toPage(row: PageRow): LeadPage {
  return {
    pageId: row.page_id, pageName: row.page_name, tenantId: row.tenant_id, channelNumberId: row.number_id, appId: row.app_id, webhookStatus: row.webhook_status,
    isTokenValid: row.is_token_valid, pendingLeads: row.pending_leads, lastLeadAt: toDateOrNull(row.last_lead_at), createdAt: toDate(row.created_at), updatedAt: toDate(row.updated_at),
  }
}

export function toSecrets(cipher: Cipher, row: SecretRow): LeadPageSecrets {
  return { accessToken: cipher.open(row.sealed_token, pageTokenContext(row.page_id)), tokenVersion: row.token_version, appSecret: openAppSecret(cipher, row) }
}

/** Settings of a form as its columns have them; both null where nothing is set. */
export interface FormRow {
  readonly consent_key: string | null
  readonly auto_send: string | null
}

export function toSettings({ consent_key: consentKey, auto_send: autoSend }: FormRow): LeadFormSettings {
  return { consentKey, autoSend: fromJson<AutoSend>(autoSend) }
}

import type { LeadPage } from '../../domain/lead.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { LeadPageSecrets } from '../../ports/stores/lead-page-store.ts'
import { rowsOf, type RecordOf, type RowIn } from '../engine/rows-of.ts'
import { LeadFormEntity, type LeadPageEntity } from './entity.ts'

export type PageRecord = RecordOf<typeof LeadPageEntity>

export const SETTINGS = rowsOf(LeadFormEntity).only('consentKey', 'autoSend')
/** Settings of a form as its columns have them; both null when nothing is set. */
export type FormRow = RowIn<typeof SETTINGS>

/** The context that tokens of Pages are sealed with. */
export function pageTokenContext(pageId: string): string {
  return `lead-page-token:${pageId}`
}

/** The context that app secrets of Pages are sealed with. */
export function pageSecretContext(pageId: string): string {
  return `lead-page-app-secret:${pageId}`
}

export function sealToken(cipher: Cipher, pageId: string, accessToken: string): string {
  return cipher.seal(accessToken, pageTokenContext(pageId))
}

export function sealAppSecret(cipher: Cipher, pageId: string, appSecret: string): string {
  return cipher.seal(appSecret, pageSecretContext(pageId))
}

/**
 * Digest that finds the Pages linked with an app secret without opening any secret. It is keyed, and differs from app
 * to app.
 */
export function appSecretDigest(cipher: Cipher, appId: string, appSecret: string): string {
  return Buffer.from(cipher.token(appSecret, `lead-app-secret:${appId}`)).toString('base64url')
}

export function openAppSecret(
  cipher: Cipher,
  { pageId, sealedAppSecret }: Pick<PageRecord, 'pageId' | 'sealedAppSecret'>,
): string {
  return cipher.open(sealedAppSecret, pageSecretContext(pageId))
}

export function toPage(
  {
    pageId,
    tenantId,
    numberId,
    pageName,
    appId,
    isTokenValid,
    webhookStatus,
    lastLeadAt,
    createdAt,
    updatedAt,
  }: PageRecord,
  pendingLeads: number,
): LeadPage {
  return {
    pageId,
    tenantId,
    channelNumberId: numberId,
    pageName,
    appId,
    isTokenValid,
    webhookStatus,
    lastLeadAt,
    createdAt,
    updatedAt,
    pendingLeads,
  }
}

export function toSecrets(cipher: Cipher, page: PageRecord): LeadPageSecrets {
  return {
    accessToken: cipher.open(page.sealedToken, pageTokenContext(page.pageId)),
    tokenVersion: page.tokenVersion,
    appSecret: openAppSecret(cipher, page),
  }
}

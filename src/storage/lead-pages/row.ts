import type { LeadPage } from '../../domain/lead.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { LeadPageSecrets } from '../../ports/stores/lead-page-store.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { LeadFormEntity, LeadPageEntity } from './entity.ts'

const PAGES = rowsOf(LeadPageEntity).only('pageId', 'tenantId', 'numberId', 'pageName', 'appId', 'isTokenValid', 'webhookStatus', 'lastLeadAt', 'createdAt', 'updatedAt')
const SECRETS = rowsOf(LeadPageEntity).only('sealedToken', 'tokenVersion', 'sealedAppSecret')
export const SETTINGS = rowsOf(LeadFormEntity).only('consentKey', 'autoSend')

/** What a read selects of Pages `p`. */
export type PageRow = RowIn<typeof PAGES> & { readonly pending_leads: number }
export type SecretRow = RowIn<typeof SECRETS> & Pick<PageRow, 'page_id'>
/** Settings of a form as its columns have them; both null where nothing is set. */
export type FormRow = RowIn<typeof SETTINGS>

export const PAGE_COLUMNS = `${PAGES.list('p')}, (select count(*)::integer from lead_notices w where w.page_id = p.page_id) as pending_leads`
export const SECRET_COLUMNS = SECRETS.list('p')

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

const toLinked = PAGES.reader({ numberId: 'channelNumberId' })

export function toPage(row: PageRow): LeadPage {
  return { ...toLinked(row), pendingLeads: row.pending_leads }
}

export function toSecrets(cipher: Cipher, row: SecretRow): LeadPageSecrets {
  const { sealedToken, tokenVersion } = SECRETS.read(row)
  return { accessToken: cipher.open(sealedToken, pageTokenContext(row.page_id)), tokenVersion, appSecret: openAppSecret(cipher, row) }
}


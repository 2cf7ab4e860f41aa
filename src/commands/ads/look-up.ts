import type { AdNames } from '../../ports/official/pages.ts'
import type { TakenAd } from '../../ports/stores/ad-store.ts'
import type { AdPorts } from './ports.ts'

/** What came of looking up an ad. `refused`: no token may read the ad, or there is none. */
export type LookUp =
  | { readonly kind: 'found'; readonly names: AdNames }
  | { readonly kind: 'refused' }
  /** `waitMs`: how long upstream says to wait, null when it does not say. */
  | { readonly kind: 'again'; readonly reason: 'throttled' | 'failed'; readonly waitMs: number | null }

interface Token {
  readonly accessToken: string
  readonly appSecret: string | null
}

/** In the order of [referrals.names.2]. Each token is read only when the one before it may not read the ad. */
const SOURCES: readonly ((ports: AdPorts, ad: TakenAd) => Promise<Token | null>)[] = [
  sharedToken,
  numberToken,
  pageToken,
]

/**
 * Asks upstream for the names of an ad, with the first token that may read it. A token that is throttled or gets no
 * answer ends the look-up, because the next try may show that it is the one that may. Answers null when the look-up was
 * no longer wanted before it ended.
 */
export async function lookUpAd(ports: AdPorts, ad: TakenAd, isWanted: () => boolean): Promise<LookUp | null> {
  for (const tokenOf of SOURCES) {
    if (!isWanted()) return null
    const token = await tokenOf(ports, ad)
    if (token === null) continue
    const read = await ports.adsOf({ ownerId: ad.numberId, ...token }).names(ad.adId)
    switch (read.kind) {
      case 'read':
        return { kind: 'found', names: read.value }
      case 'throttled':
        return { kind: 'again', reason: 'throttled', waitMs: read.waitMs }
      case 'failed':
        return { kind: 'again', reason: 'failed', waitMs: null }
      case 'refused':
      case 'token-dead':
    }
  }
  return { kind: 'refused' }
}

/** The token comes without an app secret, because nobody knows whose app it belongs to. */
async function sharedToken({ ads }: AdPorts, { numberId }: TakenAd): Promise<Token | null> {
  const accessToken = await ads.accessToken(numberId)
  return accessToken === null ? null : { accessToken, appSecret: null }
}

async function numberToken({ official }: AdPorts, { tenantId, numberId }: TakenAd): Promise<Token | null> {
  const credentials = await official.credentials(tenantId, numberId)
  return credentials && { accessToken: credentials.accessToken, appSecret: credentials.appSecret }
}

/**
 * A Page may have been linked again since the click; its token is used only while the Page belongs to the same tenant.
 */
async function pageToken({ leadPages }: AdPorts, { tenantId, pageId }: TakenAd): Promise<Token | null> {
  const linked = pageId === null ? null : await leadPages.load(pageId)
  if (linked === null || linked.page.tenantId !== tenantId || !linked.page.isTokenValid) return null
  return { accessToken: linked.secrets.accessToken, appSecret: linked.secrets.appSecret }
}

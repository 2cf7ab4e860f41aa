import type { AdNames } from '../../ports/official/pages.ts'
import type { TakenAd } from '../../ports/stores/ad-store.ts'
import type { AdPorts } from './ports.ts'

/** What came of asking for an ad. `refused`: nobody may tell, or there is nobody to ask as. */
export type LookUp =
  | { readonly kind: 'found'; readonly names: AdNames }
  | { readonly kind: 'refused' }
  /** `waitMs`: as long as upstream says; null when it does not. */
  | { readonly kind: 'again'; readonly reason: 'throttled' | 'failed'; readonly waitMs: number | null }

interface Token {
  readonly accessToken: string
  readonly appSecret: string | null
}

/** In the order of contract 13, Names; each is read when the one before it may not tell. */
const SOURCES: readonly ((ports: AdPorts, ad: TakenAd) => Promise<Token | null>)[] = [
  sharedToken,
  numberToken,
  pageToken,
]

/**
 * Asks upstream for the names of an ad, with the first token that may. One that is throttled or not answered ends it:
 * the next may still be the one that may. Null: it was not wanted any more before it came to an end.
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

/** Whose app the advertiser's token is of nobody knows. */
async function sharedToken({ ads }: AdPorts, { numberId }: TakenAd): Promise<Token | null> {
  const accessToken = await ads.accessToken(numberId)
  return accessToken === null ? null : { accessToken, appSecret: null }
}

async function numberToken({ official }: AdPorts, { tenantId, numberId }: TakenAd): Promise<Token | null> {
  const credentials = await official.credentials(tenantId, numberId)
  return credentials && { accessToken: credentials.accessToken, appSecret: credentials.appSecret }
}

/** A Page that was linked again since is asked as only where it is of the same tenant. */
async function pageToken({ leadPages }: AdPorts, { tenantId, pageId }: TakenAd): Promise<Token | null> {
  const linked = pageId === null ? null : await leadPages.load(pageId)
  if (linked === null || linked.page.tenantId !== tenantId || !linked.page.isTokenValid) return null
  return { accessToken: linked.secrets.accessToken, appSecret: linked.secrets.appSecret }
}

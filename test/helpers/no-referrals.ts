import type { AdPorts } from '../../src/commands/ads/ports.ts'
import type { RestDeps } from '../../src/http/server.ts'

/** What routes ask of ads. */
const OF_ROUTES: Partial<AdPorts['ads']> = {
  share: async () => null,
  access: async () => null,
  unshare: async () => false,
}

/**
 * Referrals of an installation that has none, and an upstream that shows no ad account: those of tests that are about
 * referrals stand on the database.
 */
export const NO_REFERRALS: Pick<RestDeps, 'referrals'> & Pick<AdPorts, 'ads' | 'adsOf'> = {
  referrals: { list: async () => ({ items: [], total: 0 }), summary: async () => ({ ads: [], isTruncated: false }) },
  ads: OF_ROUTES as AdPorts['ads'],
  adsOf: () => ({
    names: async () => ({ kind: 'refused', no: NO }),
    accounts: async () => ({ kind: 'read', value: [] }),
  }),
}

const NO = { upstreamCode: 100, upstreamSubcode: 33, upstreamMessage: 'Unsupported get request.' }

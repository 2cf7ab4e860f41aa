import type { AdPorts } from '../../src/commands/ads/ports.ts'
import type { RestDeps } from '../../src/http/server.ts'

/** The parts of the noun of ads that routes use. */
const OF_ROUTES: Partial<AdPorts['ads']> = {
  share: async () => null,
  access: async () => null,
  unshare: async () => false,
}

/**
 * Referrals of an installation without any, and an upstream without ad accounts; tests about referrals use the
 * database.
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

import type { CardHosts } from '../domain/template-rule.ts'
import { createAddressGuard, isAddress } from './address-guard.ts'

/** What is known of the hosts of card media before anything is looked up. `egressAllow`: entries of EGRESS_ALLOW (contract 1). */
export function createCardHosts(egressAllow: readonly string[]): CardHosts {
  const guard = createAddressGuard(egressAllow)
  return {
    isAllowed: (host) => guard.isLifted(bare(host)),
    isForbidden: (host) => isAddress(bare(host)) && !guard.isAllowed(bare(host)),
  }
}

/** Brackets are of URLs; the guard knows addresses without them. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

import type { CardHosts } from '../domain/template-rule.ts'
import { bareHost, createAddressGuard, isAddress } from './address-guard.ts'

/**
 * Makes what is known of the hosts of card media before anything is looked up. `egressAllow` has the entries of
 * EGRESS_ALLOW ([configuration.variables.17]).
 */
export function createCardHosts(egressAllow: readonly string[]): CardHosts {
  const guard = createAddressGuard(egressAllow)
  return {
    isAllowed: (hostname) => guard.isLifted(bareHost({ hostname })),
    isForbidden(hostname) {
      const host = bareHost({ hostname })
      return isAddress(host) && !guard.isAllowed(host)
    },
  }
}

import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { onceMarked, upstreamOfNumber } from '../official/ask.ts'
import type { ListingCounts } from '../official/listings.ts'
import type { FlowListings } from './listings.ts'
import type { FlowPorts } from './ports.ts'

/**
 * Lists the Flows of the number's account now, or joins the listing under way ([flows.routes.3], [flows.upstream.7]).
 */
export async function syncFlows(
  ports: FlowPorts,
  listings: FlowListings,
  number: NumberRef,
): Promise<Outcome<ListingCounts>> {
  const found = await upstreamOfNumber(ports, number)
  if (!found.ok) return found
  const { upstream, credentials } = found.value
  return onceMarked(ports, await listings.list(credentials.accountId, upstream.flows, number.tenantId))
}

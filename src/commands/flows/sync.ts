import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { onceMarked, upstreamOfNumber } from '../official/ask.ts'
import type { AskOfficialDeps } from '../official/ask.ts'
import type { ListingCounts } from '../official/listings.ts'
import type { FlowListings } from './listings.ts'

export interface SyncFlowsDeps extends AskOfficialDeps {
  readonly flowListings: FlowListings
}

/** Lists the number's account now, or joins the listing that is under way (contract 11, Import). */
export async function syncFlows(deps: SyncFlowsDeps, number: NumberRef): Promise<Outcome<ListingCounts>> {
  const found = await upstreamOfNumber(deps, number)
  if (!found.ok) return found
  const { upstream, credentials } = found.value
  return onceMarked(deps, await deps.flowListings.list(credentials.accountId, upstream.flows, number.tenantId))
}

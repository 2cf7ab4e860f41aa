import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { onceMarked } from '../official/ask.ts'
import type { ListingCounts } from '../official/listings.ts'
import type { TemplateListings } from './listings.ts'
import { templatesOf } from './upstream.ts'
import type { UpstreamDeps } from './upstream.ts'

export interface SyncTemplatesDeps extends UpstreamDeps {
  readonly listings: TemplateListings
}

/** Lists the account of an OFFICIAL number now, or joins the listing that is under way (contract 10, Import). */
export async function syncTemplates(deps: SyncTemplatesDeps, number: NumberRef): Promise<Outcome<ListingCounts>> {
  const upstream = await templatesOf(deps, number)
  if (!upstream.ok) return upstream
  const { port, accountId } = upstream.value
  return onceMarked(deps, await deps.listings.list(accountId, port, number.tenantId))
}

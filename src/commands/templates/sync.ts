import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { onceMarked } from '../official/ask.ts'
import type { ListingCounts } from '../official/listings.ts'
import type { TemplateListings } from './listings.ts'
import type { TemplatePorts } from './ports.ts'
import { templatesOf } from './upstream.ts'

/**
 * Lists the account of an OFFICIAL number now, or joins the listing under way ([templates.routes.7],
 * [templates.import.2]).
 */
export async function syncTemplates(
  ports: TemplatePorts,
  listings: TemplateListings,
  number: NumberRef,
): Promise<Outcome<ListingCounts>> {
  const upstream = await templatesOf(ports, number)
  if (!upstream.ok) return upstream
  const { port, accountId } = upstream.value
  return onceMarked(ports, await listings.list(accountId, port, number.tenantId))
}

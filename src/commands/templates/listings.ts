import { succeed } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import { listingsOf } from '../official/listings.ts'
import type { Listings } from '../official/listings.ts'
import { linkFlows } from './link-flows.ts'
import type { LinkFlowsDeps } from './link-flows.ts'
import { mergeShown } from './merge.ts'

export interface ListingDeps extends LinkFlowsDeps {
  readonly templates: Pick<TemplateStore, 'tenantsOf' | 'merge' | 'removeUnseen' | 'listed'>
  readonly clock: Pick<Clock, 'now'>
}

export type TemplateListings = Listings<TemplatesPort>

/** Makes what this node's listings of templates are shared by. */
export function createListings({ templates, flows, clock }: ListingDeps): TemplateListings {
  return listingsOf({
    clock,
    tenantsOf: (accountId) => templates.tenantsOf(accountId),
    async page(port, after) {
      const page = await port.page(after)
      return page.ok ? succeed({ ...page.value, items: page.value.templates }) : page
    },
    merge: async ({ tenantId, accountId }, listing, items, asked) => {
      const owner = { kind: 'ACCOUNT' as const, tenantId, accountId }
      return templates.merge(
        owner,
        listing,
        await linkFlows({ flows }, owner, items),
        mergeShown(owner, asked, new Date(clock.now())),
      )
    },
    removeUnseen: ({ tenantId, accountId }, listing, since) =>
      templates.removeUnseen({ kind: 'ACCOUNT', tenantId, accountId }, listing, since),
    listed: ({ tenantId, accountId }) => templates.listed(tenantId, accountId),
  })
}

import { succeed } from '../../domain/errors.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import { listingsOf } from '../official/listings.ts'
import type { Listings } from '../official/listings.ts'
import { linkFlows } from './link-flows.ts'
import { mergeShown } from './merge.ts'
import type { TemplatePorts } from './ports.ts'

export type TemplateListings = Listings<TemplatesPort>

/** Makes the listings of templates that the callers of this node share. */
export function createListings(ports: TemplatePorts): TemplateListings {
  const { templates, clock } = ports
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
        await linkFlows(ports, owner, items),
        mergeShown(owner, asked, new Date(clock.now())),
      )
    },
    removeUnseen: ({ tenantId, accountId }, listing, since) =>
      templates.removeUnseen({ kind: 'ACCOUNT', tenantId, accountId }, listing, since),
    listed: ({ tenantId, accountId }) => templates.listed(tenantId, accountId),
  })
}

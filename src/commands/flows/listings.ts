import { succeed } from '../../domain/errors.ts'
import type { FlowsPort } from '../../ports/official/flows.ts'
import { listingsOf } from '../official/listings.ts'
import type { Listings } from '../official/listings.ts'
import { linkTemplates } from '../templates/link-flows.ts'
import { mergeShown } from './merge.ts'
import type { FlowPorts } from './ports.ts'

export type FlowListings = Listings<FlowsPort>

/** Makes the listings of Flows that the callers of this node share. */
export function createFlowListings({ flows, templates, clock }: FlowPorts): FlowListings {
  return listingsOf({
    clock,
    tenantsOf: (accountId) => flows.tenantsOf(accountId),
    async page(port, after) {
      const page = await port.page(after)
      return page.ok ? succeed({ ...page.value, items: page.value.flows }) : page
    },
    merge: (owner, listing, items, asked) =>
      flows.merge(owner, listing, items, mergeShown(owner, asked, new Date(clock.now()))),
    removeUnseen: (owner, listing, since) => flows.removeUnseen(owner, listing, since),
    async listed(owner) {
      await linkTemplates({ flows, templates }, owner)
      await flows.listed(owner)
    },
  })
}

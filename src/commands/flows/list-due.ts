import { upstreamOfAccount } from '../official/account-port.ts'
import { LIST_EVERY_MS, listDueAccounts } from '../official/list-due.ts'
import type { FlowListings } from './listings.ts'
import type { FlowPorts } from './ports.ts'

/** Lists the Flows of accounts whose listing is due. Answers whether there may be more. */
export function listDueFlows(ports: FlowPorts, listings: FlowListings, isWanted: () => boolean): Promise<boolean> {
  return listDueAccounts(
    {
      log: ports.log,
      what: 'Flows',
      take: (limit, leaseMs) => ports.flows.takeDueListings(limit, LIST_EVERY_MS, leaseMs),
      async list({ tenantId, accountId }) {
        const upstream = await upstreamOfAccount(ports, tenantId, accountId)
        return upstream && listings.list(accountId, upstream.flows, tenantId)
      },
    },
    isWanted,
  )
}

import type { Log } from '../../ports/log.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import { LIST_EVERY_MS, listDueAccounts } from '../official/list-due.ts'
import type { FlowListings } from './listings.ts'

export interface ListDueFlowsDeps extends AccountPortDeps {
  readonly flows: Pick<FlowStore, 'takeDueListings'>
  readonly flowListings: FlowListings
  readonly log: Log
}

/** Lists the Flows of accounts whose time has come. Answers whether there may be more. */
export function listDueFlows(deps: ListDueFlowsDeps, isWanted: () => boolean): Promise<boolean> {
  return listDueAccounts(
    {
      log: deps.log,
      what: 'Flows',
      take: (limit, leaseMs) => deps.flows.takeDueListings(limit, LIST_EVERY_MS, leaseMs),
      async list({ tenantId, accountId }) {
        const upstream = await upstreamOfAccount(deps, tenantId, accountId)
        return upstream && deps.flowListings.list(accountId, upstream.flows, tenantId)
      },
    },
    isWanted,
  )
}

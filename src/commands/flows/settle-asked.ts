import type { Log } from '../../ports/log.ts'
import type { FlowStore, StoredFlow } from '../../ports/stores/flow-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import { settleAskedRows } from '../official/settle-asked.ts'
import type { CreationDeps } from './creation.ts'
import { settleAsk } from './settling.ts'

export interface SettleAskedFlowsDeps extends AccountPortDeps, CreationDeps {
  readonly flows: Pick<FlowStore, 'takeAsked' | 'change' | 'known' | 'ofAccount'>
  readonly log: Log
}

/**
 * Brings up what waits for upstream, and finds out what became of requests about Flows whose answers were lost. Answers
 * whether there may be more.
 */
export function settleAskedFlows(deps: SettleAskedFlowsDeps, isWanted: () => boolean): Promise<boolean> {
  const { flows, clock, log } = deps
  return settleAskedRows<StoredFlow>(
    {
      clock,
      log,
      what: 'Flow',
      take: (limit, leaseMs) => flows.takeAsked(limit, leaseMs),
      async settle(row) {
        const upstream = await upstreamOfAccount(deps, row.owner.tenantId, row.owner.accountId)
        if (!row.ask || !upstream) return 'open'
        return (await settleAsk(deps, row, row.ask, upstream.flows)).kind === 'open' ? 'open' : 'settled'
      },
      postpone: ({ id }, patch) => flows.change(id, () => ({ kind: 'CHANGE', patch })),
    },
    isWanted,
  )
}

import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import { settleAskedRows } from '../official/settle-asked.ts'
import type { FlowPorts } from './ports.ts'
import { settleAsk } from './settling.ts'

/**
 * Creates the Flows that wait for upstream, and finds out what became of requests whose answers were lost. Answers
 * whether there may be more.
 */
export function settleAskedFlows(ports: FlowPorts, isWanted: () => boolean): Promise<boolean> {
  const { flows, clock, log } = ports
  return settleAskedRows<StoredFlow>(
    {
      clock,
      log,
      what: 'Flow',
      take: (limit, leaseMs) => flows.takeAsked(limit, leaseMs),
      async settle(row) {
        const upstream = await upstreamOfAccount(ports, row.owner.tenantId, row.owner.accountId)
        if (!row.ask || !upstream) return 'open'
        return (await settleAsk(ports, row, row.ask, upstream.flows)).kind === 'open' ? 'open' : 'settled'
      },
      postpone: ({ id }, patch) => flows.change(id, () => ({ kind: 'CHANGE', patch })),
    },
    isWanted,
  )
}

import type { ExchangeDeps } from '../commands/flows/exchange.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { createExchangeOpener } from '../providers/official/flow/exchange-crypto.ts'
import { createFlowEndpoints } from '../webhooks/flow-endpoint.ts'
import type { Core } from './core.ts'

/**
 * Our choice: asks under way to one host; a phone waits for each, so that an endpoint that takes a second still answers
 * 128 of them.
 */
const CONNECTIONS_PER_ORIGIN = 128

/** Joins what the phones of Flows are answered with: what reads their asks, and what passes them on. */
export function openFlowExchange({ config, clock, closing }: Core): Pick<ExchangeDeps, 'openExchange' | 'askEndpoint'> {
  const fetchUrl = createGuardedFetch({
    egressAllow: config.egressAllow,
    clock,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  closing.add('egress to endpoints of Flows', () => fetchUrl.close())
  return { openExchange: createExchangeOpener(), askEndpoint: createFlowEndpoints({ fetchUrl, clock }) }
}

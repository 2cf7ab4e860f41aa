import { createEndpoints } from '../commands/flow-endpoints/flow-endpoints.ts'
import type { FlowEndpointPorts } from '../commands/flow-endpoints/ports.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { createExchangeOpener, makeFlowKeyPair } from '../providers/official/flow/exchange-crypto.ts'
import type { Stores } from '../storage/stores.ts'
import { createFlowEndpoints } from '../webhooks/flow-endpoint.ts'
import type { Core } from './core.ts'

/**
 * Our choice: asks under way to one host; a phone waits for each, so that an endpoint that takes a second still answers
 * 128 of them.
 */
const CONNECTIONS_PER_ORIGIN = 128

interface EndpointNeeds extends Pick<FlowEndpointPorts, 'officialOf' | 'checkUrl' | 'isSigned' | 'baseUrl'> {
  readonly stores: Stores
}

/** Joins what can be done with the endpoints of Flows: what reads asks of phones, and what passes them on. */
export function openFlowEndpoints(
  { config, clock, log, closing }: Core,
  { stores, officialOf, checkUrl, isSigned, baseUrl }: EndpointNeeds,
) {
  const fetchUrl = createGuardedFetch({
    egressAllow: config.egressAllow,
    clock,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  closing.add('egress to endpoints of Flows', () => fetchUrl.close())
  const flowEndpointCommands = createEndpoints({
    ...stores,
    officialOf,
    checkUrl,
    isSigned,
    makeKeyPair: makeFlowKeyPair,
    openExchange: createExchangeOpener(),
    askEndpoint: createFlowEndpoints({ fetchUrl, clock }),
    baseUrl,
    log,
  })
  return { flowEndpointCommands }
}

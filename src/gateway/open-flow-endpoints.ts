import { createEndpoints } from '../commands/flow-endpoints/flow-endpoints.ts'
import type { FlowEndpointPorts } from '../commands/flow-endpoints/ports.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { createExchangeOpener, makeFlowKeyPair } from '../providers/official/flow/exchange-crypto.ts'
import type { Stores } from '../storage/stores.ts'
import { createFlowEndpoints } from '../webhooks/flow-endpoint.ts'
import type { Core } from './core.ts'

/**
 * Our choice: most asks under way to one host. A phone waits for each of them, and an endpoint that takes a second
 * still answers 128 phones.
 */
const CONNECTIONS_PER_ORIGIN = 128

interface EndpointNeeds extends Pick<FlowEndpointPorts, 'officialOf' | 'checkUrl' | 'isSigned' | 'baseUrl'> {
  readonly stores: Stores
}

/** Opens the endpoints of Flows: the reader of phones' asks, and the commands on endpoints. */
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

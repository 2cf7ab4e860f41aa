import type { FlowId, NumberId } from '../../domain/ids.ts'
import { clearFlowEndpoint, setFlowEndpoint } from './endpoint.ts'
import { exchange } from './exchange.ts'
import type { SentExchange } from './exchange.ts'
import { createFlowKey, showFlowKey } from './key-pair.ts'
import type { FlowEndpointPorts } from './ports.ts'

/** The commands of the endpoints of Flows and of the keys that phones encrypt for. */
export type FlowEndpointCommands = ReturnType<typeof createEndpoints>

/** Makes the commands of the endpoints of Flows. */
export function createEndpoints(ports: FlowEndpointPorts) {
  return {
    createKey: (numberId: NumberId) => createFlowKey(ports, numberId),
    showKey: (numberId: NumberId) => showFlowKey(ports, numberId),
    set: (id: FlowId, url: string) => setFlowEndpoint(ports, id, url),
    clear: (id: FlowId) => clearFlowEndpoint(ports, id),
    exchange: (flowId: string, sent: SentExchange) => exchange(ports, flowId, sent),
  }
}

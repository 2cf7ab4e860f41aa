import { z } from 'zod'
import type { ClearedFlowEndpoint, SetFlowEndpoint } from '../commands/flow-endpoints/endpoint.ts'
import type { FlowEndpointCommands } from '../commands/flow-endpoints/flow-endpoints.ts'
import type { ShownFlowKey } from '../commands/flow-endpoints/key-pair.ts'
import type { Outcome } from '../domain/errors.ts'
import { isFlowId, type FlowId, type NumberId } from '../domain/ids.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** Operator commands on the endpoints of Flows. All throw in words why they cannot run. */
export interface FlowDesk {
  createKey(numberId: string): Promise<ShownFlowKey>
  showKey(numberId: string): Promise<ShownFlowKey>
  setEndpoint(flowId: string, url: string): Promise<SetFlowEndpoint>
  clearEndpoint(flowId: string): Promise<ClearedFlowEndpoint>
}

const OF_NUMBER = z.object({ numberId: z.string() })
const OF_FLOW = z.object({ flowId: z.string() })
const ENDPOINT = OF_FLOW.extend({ url: z.string() })

/** The desk over the commands of endpoints, in the running gateway or without one. */
export function flowDesk(endpoints: FlowEndpointCommands): FlowDesk {
  return {
    createKey: async (numberId) => valueOf(await endpoints.createKey(numberIdOf(numberId))),
    showKey: async (numberId) => valueOf(await endpoints.showKey(numberIdOf(numberId))),
    setEndpoint: async (flowId, url) => valueOf(await endpoints.set(flowIdOf(flowId), url)),
    clearEndpoint: async (flowId) => valueOf(await endpoints.clear(flowIdOf(flowId))),
  }
}

/** The commands of the desk over the socket. */
export function flowDeskCommands(desk: FlowDesk): AdminCommands {
  return {
    '/flows/key/create': (body) => desk.createKey(OF_NUMBER.parse(body).numberId),
    '/flows/key/show': (body) => desk.showKey(OF_NUMBER.parse(body).numberId),
    '/flows/endpoint/set': (body) => {
      const { flowId, url } = ENDPOINT.parse(body)
      return desk.setEndpoint(flowId, url)
    },
    '/flows/endpoint/clear': (body) => desk.clearEndpoint(OF_FLOW.parse(body).flowId),
  }
}

/** The desk of a running gateway; each answers null when none listens in this data directory. */
export function askedFlowDesk(dataDir: string): {
  [K in keyof FlowDesk]: (...given: Parameters<FlowDesk[K]>) => Promise<Awaited<ReturnType<FlowDesk[K]>> | null>
} {
  return {
    createKey: (numberId) => ask(dataDir, '/flows/key/create', { numberId }),
    showKey: (numberId) => ask(dataDir, '/flows/key/show', { numberId }),
    setEndpoint: (flowId, url) => ask(dataDir, '/flows/endpoint/set', { flowId, url }),
    clearEndpoint: (flowId) => ask(dataDir, '/flows/endpoint/clear', { flowId }),
  }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new Error(outcome.error.message)
}

function numberIdOf(text: string): NumberId {
  if (!/^num_[0-9a-z]{26}$/.test(text)) throw new Error(`${text} is no id of a number`)
  return text as NumberId
}

function flowIdOf(text: string): FlowId {
  if (!isFlowId(text)) throw new Error(`${text} is no id of a Flow`)
  return text
}

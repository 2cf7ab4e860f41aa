import { z } from 'zod'
import {
  clearFlowEndpoint,
  setFlowEndpoint,
  type ClearedFlowEndpoint,
  type FlowEndpointDeps,
  type SetFlowEndpoint,
} from '../commands/flows/endpoint.ts'
import { createFlowKey, showFlowKey, type FlowKeyDeps, type ShownFlowKey } from '../commands/flows/key-pair.ts'
import type { Outcome } from '../domain/errors.ts'
import { isFlowId, type FlowId, type NumberId } from '../domain/ids.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** What operators do with what the phones of Flows ask. All throw what stands in the way. */
export interface FlowDesk {
  createKey(numberId: string): Promise<ShownFlowKey>
  showKey(numberId: string): Promise<ShownFlowKey>
  setEndpoint(flowId: string, url: string): Promise<SetFlowEndpoint>
  clearEndpoint(flowId: string): Promise<ClearedFlowEndpoint>
}

export type FlowDeskDeps = FlowKeyDeps & FlowEndpointDeps

const OF_NUMBER = z.object({ numberId: z.string() })
const OF_FLOW = z.object({ flowId: z.string() })
const ENDPOINT = OF_FLOW.extend({ url: z.string() })

/** The desk over the stores and upstream: in the running gateway, or beside it. */
export function flowDesk(deps: FlowDeskDeps): FlowDesk {
  return {
    createKey: async (numberId) => valueOf(await createFlowKey(deps, numberIdOf(numberId))),
    showKey: async (numberId) => valueOf(await showFlowKey(deps, numberIdOf(numberId))),
    setEndpoint: async (flowId, url) => valueOf(await setFlowEndpoint(deps, flowIdOf(flowId), url)),
    clearEndpoint: async (flowId) => valueOf(await clearFlowEndpoint(deps, flowIdOf(flowId))),
  }
}

/** The desk's commands over the socket. */
export function flowCommands(desk: FlowDesk): AdminCommands {
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

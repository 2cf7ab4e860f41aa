import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { OfficialNumber } from '../../../ports/official/number.ts'
import type { Graph } from '../client/graph.ts'
import { callingOps } from './calling.ts'
import { encryptionOps } from './encryption.ts'
import { flowsOps } from './flows.ts'
import { healthOps } from './health.ts'
import { mediaOps } from './media.ts'
import { permissionsOps } from './permissions.ts'
import { subscriptionOps } from './subscription.ts'
import { templatesOps } from './templates.ts'

/** All requests of a number of the official platform apart from calls and messages in progress. */
export function numberOps(graph: Graph, credentials: OfficialCredentials): OfficialNumber {
  return {
    health: healthOps(graph, credentials),
    subscription: subscriptionOps(graph, credentials),
    calling: callingOps(graph, credentials),
    permissions: permissionsOps(graph, credentials),
    media: mediaOps(graph, credentials),
    templates: templatesOps(graph, credentials),
    flows: flowsOps(graph, credentials),
    encryption: encryptionOps(graph, credentials),
  }
}

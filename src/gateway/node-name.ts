import type { Config } from '../config.ts'
import type { NodeId } from '../domain/ids.ts'
import { inOneLine } from '../process/start-fault.ts'
import { loadOrCreateNodeId } from '../storage/engine/secrets.ts'

/** The name of this node ([configuration.variables.29]). Throws a StartFault when the data directory cannot be used. */
export async function nodeNameOf({ nodeId, dataDir }: Pick<Config, 'nodeId' | 'dataDir'>): Promise<NodeId> {
  // The cast lets operators name nodes freely, because nothing parses these ids.
  return nodeId === null ? await loadOrCreateNodeId(dataDir).catch(inOneLine('DATA_DIR')) : (nodeId as NodeId)
}

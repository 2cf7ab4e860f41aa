import type { Config } from '../config.ts'
import type { NodeId } from '../domain/ids.ts'
import { inOneLine } from '../process/start-fault.ts'
import { loadOrCreateNodeId } from '../storage/engine/secrets.ts'

/** The name of this node (contract 20, NODE_ID). Throws a StartFault when the data directory cannot be used. */
export async function nodeNameOf({ nodeId, dataDir }: Pick<Config, 'nodeId' | 'dataDir'>): Promise<NodeId> {
  // The cast lets operators name nodes as they like: nothing reads these ids.
  return nodeId === null ? await loadOrCreateNodeId(dataDir).catch(inOneLine('DATA_DIR')) : (nodeId as NodeId)
}

import type { Core } from './core.ts'
import { keepSessions } from '../media/session-keeper.ts'
import { openCluster } from './open-cluster.ts'
import { openDeliveries } from './open-deliveries.ts'
import { openEngines } from './open-engines.ts'
import { openListener } from './open-listener.ts'
import { openMediaClient, openMediaHosts } from './open-media.ts'
import { openNodes } from './open-nodes.ts'
import { openSecrets } from './open-secrets.ts'
import { openStorage } from './open-storage.ts'
import { openUpstreams } from './open-upstreams.ts'
import { together } from './together.ts'

export type Base = Awaited<ReturnType<typeof openBase>>

/**
 * Opens the parts below all others: secrets, the port, storage, upstreams, media, engines, the other nodes, deliveries.
 */
export async function openBase(core: Core, begins: (stage: string) => void) {
  begins('the database and its tables, the media host')
  const secrets = await openSecrets(core)
  const listener = await openListener(core)
  const [storage, upstreams, mediaHosts] = await together(
    openStorage(core, secrets),
    openUpstreams(core, { ...secrets, ...listener }),
    openMediaHosts(core, secrets),
  )
  begins('queues, media hosts, pages')
  const nodes = await openNodes(core, storage)
  const cluster = await openCluster(core, { ...secrets, nodeId: storage.nodeId })
  const deliveries = await openDeliveries(core, storage)
  const media = await openMediaClient(core, { ...secrets, ...mediaHosts, ...cluster, nodeId: storage.nodeId })
  const engines = await openEngines(core, { ...secrets, upstreams })
  keepSessions({ media, callSessions: storage.stores.callSessions, clock: core.clock, log: core.log })
  return { secrets, listener, storage, upstreams, mediaHosts, nodes, cluster, deliveries, media, engines }
}

import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { Core } from './core.ts'
import { makeFirstTenant } from './first-tenant.ts'
import { openAds } from './open-ads.ts'
import { openCluster } from './open-cluster.ts'
import { openDeliveries } from './open-deliveries.ts'
import { openDirectory } from './open-directory.ts'
import { openFlowExchange } from './open-flow-exchange.ts'
import { openFlows } from './open-flows.ts'
import { openLeads } from './open-leads.ts'
import { openListener } from './open-listener.ts'
import { openMediaClient, openMediaHosts } from './open-media.ts'
import { openMessages } from './open-messages.ts'
import { openOfficial } from './open-official.ts'
import { openProviders } from './open-providers.ts'
import { openRest } from './open-rest.ts'
import { openSecrets } from './open-secrets.ts'
import { openSideDoors } from './open-side-doors.ts'
import { openStorage } from './open-storage.ts'
import { openTemplates } from './open-templates.ts'
import { openUpstreams } from './open-upstreams.ts'
import { together } from './together.ts'

/** Where the gateway and its children listen. */
export interface Listening {
  readonly port: number
  /** Null when the media hosts are programs of their own. */
  readonly mediaPort: number | null
  /** Null when the sandbox is off. */
  readonly sandboxPort: number | null
  readonly baseUrl: string
}

export interface Opened {
  readonly listening: Listening
  /** The key of the tenant "Default" when it was made up now: to be shown once, and never logged. */
  readonly firstKey: string | null
}

/** Opens every part, each with what it needs of those before it. Closing runs the list from its end, as far as it came. */
export async function openGateway(core: Core): Promise<Opened> {
  const secrets = await openSecrets(core)
  const listener = await openListener(core)
  const { port, baseUrl } = listener
  const [storage, upstreams, mediaHosts] = await together(openStorage(core, secrets), openUpstreams(core, secrets), openMediaHosts(core, secrets))
  const { stores } = storage
  const cluster = await openCluster(core)
  const deliveries = await openDeliveries(core, storage)
  const media = openMediaClient(core, { ...secrets, ...mediaHosts, ...cluster, nodeId: storage.nodeId })
  const official = openOfficial(core, { ...upstreams, stores, baseUrl, receive: (numberId) => directory.receive(numberId), templateTold: (told) => templates.templateTold(told), flowTold: (told) => flows.flowTold(told) })
  const providers = openProviders(core, { official: official.driver, upstreams })
  const messages = openMessages(core, { ...storage, ...upstreams, baseUrl })
  const templates = openTemplates(core, { ...official, ...messages, stores })
  const flows = openFlows(core, { ...official, stores })
  const exchange = openFlowExchange(core)
  const leads = openLeads(core, { ...storage, ...messages, ...official, ...templates, sendsQueued: (numberId) => directory.sendsQueued(numberId) })
  openAds(core, { ...storage, ...official })
  const directory: RunningDirectory = openDirectory(core, { ...storage, ...cluster, ...messages, ...official, ...templates, media, providers })
  openRest(core, {
    listener,
    checked: { database: storage.database, media, cluster },
    ports: { ...stores, ...cluster, ...deliveries, ...messages, ...official, ...templates, ...flows, ...exchange, ...leads, providers, directory },
  })
  const firstKey = await makeFirstTenant(core, stores)
  await openSideDoors(core, { ...stores, ...cluster, ...official, ...deliveries, baseUrl })
  await directory.start()
  core.closing.add('upkeep', () => core.upkeep.stop())
  core.upkeep.start()
  return { listening: { port, mediaPort: mediaHosts.mediaPort, sandboxPort: upstreams.sandboxPort, baseUrl }, firstKey }
}

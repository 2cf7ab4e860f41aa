import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { Core } from './core.ts'
import { addDrain } from './drain.ts'
import { firstLoginUrl } from './first-login.ts'
import { makeFirstTenant } from './first-tenant.ts'
import { openAds } from './open-ads.ts'
import { openCluster } from './open-cluster.ts'
import { openDeliveries } from './open-deliveries.ts'
import { openDirectory } from './open-directory.ts'
import { openFlowExchange } from './open-flow-exchange.ts'
import { openFlows } from './open-flows.ts'
import { openInbox } from './open-inbox.ts'
import { openLeads } from './open-leads.ts'
import { openListener } from './open-listener.ts'
import { openLogos } from './open-logos.ts'
import { openMediaClient, openMediaHosts } from './open-media.ts'
import { openMessages } from './open-messages.ts'
import { openNodes } from './open-nodes.ts'
import { openOAuth } from './open-oauth.ts'
import { openOfficial } from './open-official.ts'
import { openPages } from './open-pages.ts'
import { openProviders } from './open-providers.ts'
import { openRest } from './open-rest.ts'
import { openSecrets } from './open-secrets.ts'
import { openSetAside } from './open-set-aside.ts'
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
  /** Signs one browser in to the dashboard of the oldest tenant: to be shown once, and never logged. Null where others than this machine reach the gateway. */
  readonly loginUrl: string | null
}

/**
 * Opens every part, each with what it needs of those before it. Closing runs the list from its end, as far as it came. `begins` hears of what takes its time, in
 * words for who waits at a terminal.
 */
export async function openGateway(core: Core, begins: (stage: string) => void): Promise<Opened> {
  begins('the database and its tables, the media host')
  const secrets = await openSecrets(core)
  const listener = await openListener(core)
  const { port, baseUrl } = listener
  const [storage, upstreams, mediaHosts] = await together(openStorage(core, secrets), openUpstreams(core, secrets), openMediaHosts(core, secrets))
  const { stores } = storage
  begins('queues, media hosts, pages')
  const nodes = await openNodes(core, storage)
  const cluster = await openCluster(core, { ...secrets, nodeId: storage.nodeId })
  const deliveries = await openDeliveries(core, storage)
  const media = await openMediaClient(core, { ...secrets, ...mediaHosts, ...cluster, nodeId: storage.nodeId })
  const official = openOfficial(core, { ...upstreams, stores, baseUrl, receive: (numberId) => directory.receive(numberId), templateTold: (told) => templates.templateTold(told), flowTold: (told) => flows.flowTold(told) })
  const providers = openProviders(core, { official: official.driver, upstreams })
  const messages = openMessages(core, { ...storage, ...upstreams, baseUrl })
  const logos = await openLogos(core, { ...storage, ...messages })
  const templates = openTemplates(core, { ...official, ...messages, stores })
  const flows = openFlows(core, { ...official, stores })
  const exchange = openFlowExchange(core)
  const pages = await openPages(core, { ...upstreams, baseUrl })
  const oauth = openOAuth(core, stores, baseUrl)
  const inbox = openInbox(core, { ...storage, ...cluster })
  const leads = openLeads(core, { ...storage, ...nodes, ...messages, ...official, ...templates, sendsQueued: (numberId) => directory.sendsQueued(numberId) })
  openAds(core, { ...storage, ...official })
  const directory: RunningDirectory = openDirectory(core, { ...storage, ...nodes, ...cluster, ...messages, ...official, ...templates, media, providers })
  const rest = openRest(core, {
    listener, secrets,
    checked: { database: storage.database, media, cluster, directory, ...openSetAside(core, stores.setAside) },
    ports: { ...stores, ...cluster, ...deliveries, ...messages, ...logos, ...official, ...templates, ...flows, ...exchange, ...leads, ...pages, ...inbox, ...oauth, providers, directory },
  })
  core.closing.add('streams', inbox.endStreams)
  const firstKey = await makeFirstTenant(core, stores)
  await openSideDoors(core, { ...stores, ...storage, ...cluster, ...official, ...deliveries, baseUrl })
  await directory.start()
  core.closing.add('upkeep', () => core.upkeep.stop())
  core.upkeep.start()
  addDrain(core, { rest, directory })
  const loginUrl = await firstLoginUrl(core, { ...stores, baseUrl })
  return { loginUrl, listening: { port, mediaPort: mediaHosts.mediaPort, sandboxPort: upstreams.sandboxPort, baseUrl }, firstKey }
}

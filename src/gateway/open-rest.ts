import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { NodeView } from '../http/routes/operations/operations.ts'
import { createHttpApp, type RestDeps } from '../http/server.ts'
import type { MediaClient } from '../media/media-client.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { freeBytesOf } from '../storage/engine/free-bytes.ts'
import type { Core } from './core.ts'
import type { Cluster } from './open-cluster.ts'
import type { OpenEngines } from './open-engines.ts'
import type { Listener } from './open-listener.ts'
import type { OpenSetAside } from './open-set-aside.ts'
import type { Storage } from './open-storage.ts'
import { readinessOf, type ReadinessParts } from './readiness.ts'
import { restDoors } from './rest-doors.ts'

/**
 * our choice: how many ms of a shutdown are left for the parts that close after the last request: numbers (8 s),
 * deliveries, the database.
 */
const AFTER_REQUESTS_MS = 12_000

interface RestNeeds {
  readonly listener: Listener
  readonly secrets: Pick<Secrets, 'internalSecret'>
  /** The parts that readiness looks at. */
  readonly checked: {
    readonly database: Storage['database']
    readonly media: MediaClient
    readonly cluster: Cluster
    readonly directory: Pick<RunningDirectory, 'stats'>
    readonly engines: Pick<OpenEngines, 'listEngines'>
  } & OpenSetAside
  /** The ports that the routes need of other parts: a port that no part offers is a type error here. */
  readonly ports: Omit<RestDeps, keyof ReturnType<typeof ownDeps> | 'readiness'>
}

/** The part of the REST application that a shutdown calls first. */
export interface OpenRest {
  /** Makes this node not ready. */
  drain(): void
}

/** Serves the REST application on the listener. Closing lets running requests finish. */
export function openRest(core: Core, { listener, secrets, checked, ports }: RestNeeds): OpenRest {
  const { closing, config } = core
  let isDraining = false
  const leftMs = config.drainMs - config.shutdownDelayMs
  closing.add('http', () => listener.close(Math.max(leftMs / 2, leftMs - AFTER_REQUESTS_MS)))
  const parts: ReadinessParts = {
    ...checked,
    clock: core.clock,
    freeBytes: () => freeBytesOf(config.dataDir),
    isDraining: () => isDraining,
    node: () => nodeView(core, checked),
  }
  listener.serve(
    createHttpApp({
      ...ports,
      ...ownDeps(core, { listener, secrets, checked }),
      readiness: () => readinessOf(parts),
    }).callback(),
  )
  return {
    drain() {
      isDraining = true
      listener.drain()
    },
  }
}

function nodeView({ nodeId }: Core, { directory, media, engines: { listEngines } }: RestNeeds['checked']): NodeView {
  const { numbers, calls } = directory.stats()
  const mediaHosts = media
    .listHosts()
    .map((host) => ({ hostId: host.hostId, connected: host.isConnected, calls: host.calls, draining: host.isDraining }))
  const engines = listEngines().map(({ isDraining, ...engine }) => ({ ...engine, draining: isDraining }))
  return { nodeId, numbers, liveCalls: calls, mediaHosts, engines }
}

/** The dependencies of the REST layer that no other part offers. */
function ownDeps(core: Core, { listener: { baseUrl }, secrets, checked }: Omit<RestNeeds, 'ports'>) {
  const { config, clock, log, metrics, traces } = core
  return {
    ...restDoors(core, baseUrl, secrets),
    clock,
    log,
    metrics,
    traces,
    baseUrl,
    realtimeUrls: () => checked.media.listHosts().flatMap(({ publicUrl }) => publicUrl ?? []),
    linkedOrigins: config.files?.isLinked ? [new URL(config.files.url).origin] : [],
    apiKeyIdAuth: config.isKeyIdAuthOn,
    isDashboardOn: config.isDashboardOn,
    mcpAllowedOrigins: config.mcpAllowedOrigins,
    serviceName: config.serviceName,
    metricsText: config.metricsPort === null ? () => metrics.text() : null,
  }
}

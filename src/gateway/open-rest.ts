import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { NodeView } from '../http/routes/operations/operations.ts'
import { createHttpApp, type RestDeps } from '../http/server.ts'
import type { MediaClient } from '../media/media-client.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { freeBytesOf } from '../storage/engine/free-bytes.ts'
import type { Core } from './core.ts'
import type { Cluster } from './open-cluster.ts'
import type { Listener } from './open-listener.ts'
import type { OpenSetAside } from './open-set-aside.ts'
import type { Storage } from './open-storage.ts'
import { readinessOf, type ReadinessParts } from './readiness.ts'
import { restDoors } from './rest-doors.ts'

/**
 * our choice: of what a shutdown takes at most, this is left for what closes after the last request: numbers (8 s),
 * deliveries, the database.
 */
const AFTER_REQUESTS_MS = 12_000

interface RestNeeds {
  readonly listener: Listener
  readonly secrets: Pick<Secrets, 'internalSecret'>
  /** What readiness asks. */
  readonly checked: {
    readonly database: Storage['database']
    readonly media: MediaClient
    readonly cluster: Cluster
    readonly directory: Pick<RunningDirectory, 'stats'>
  } & OpenSetAside
  /** What the routes need of the other parts: a port that no part offers is an error here. */
  readonly ports: Omit<RestDeps, keyof ReturnType<typeof ownDeps> | 'readiness'>
}

/** What a shutdown says to the REST application first. */
export interface OpenRest {
  /** From now on this node is not ready. */
  drain(): void
}

/** Puts the REST application behind the listener; closing lets running requests finish. */
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
    createHttpApp({ ...ports, ...ownDeps(core, listener, secrets), readiness: () => readinessOf(parts) }).callback(),
  )
  return {
    drain() {
      isDraining = true
      listener.drain()
    },
  }
}

function nodeView({ nodeId }: Core, { directory, media }: RestNeeds['checked']): NodeView {
  const { numbers, calls } = directory.stats()
  const mediaHosts = media
    .listHosts()
    .map((host) => ({ hostId: host.hostId, connected: host.isConnected, calls: host.calls, draining: host.isDraining }))
  return { nodeId, numbers, liveCalls: calls, mediaHosts }
}

/** What the REST layer needs beside ports of other parts. */
function ownDeps(core: Core, { baseUrl }: Listener, secrets: RestNeeds['secrets']) {
  const { config, clock, log, metrics } = core
  return {
    ...restDoors(core, baseUrl, secrets),
    clock,
    log,
    metrics,
    baseUrl,
    apiKeyIdAuth: config.isKeyIdAuthOn,
    isDashboardOn: config.isDashboardOn,
    mcpAllowedOrigins: config.mcpAllowedOrigins,
    serviceName: config.serviceName,
    metricsText: config.metricsPort === null ? () => metrics.text() : null,
  }
}
